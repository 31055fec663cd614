package dev.oneshot.client;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds the one-time codes of an e-mail. {@code clients/README.md} describes how, for all languages of the clients. */
final class Codes {

    /** Codes stand in short e-mails and lines. The bounds keep the time of a hostile one short, and the regular expressions shallow. */
    private static final int CHARACTERS_MAX = 50_000;

    private static final int LINE_CHARACTERS_MAX = 1000;
    private static final int CANDIDATES_MAX = 500;
    private static final int SCORES_APART_MAX = 25;

    /** Text with digits that is no code: URLs, mailboxes, ids, dates, times, amounts, measures, phone numbers, postal codes. */
    private static final Pattern NO_CODE = Pattern.compile(String.join(
            "|",
            "(?:https?://|www\\.)[!#-;=?-Z_a-z~]+",
            "[a-z0-9._%+-]{1,64}@[a-z0-9.-]{1,255}",
            "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
            "#[0-9a-z]+",
            "(?<!\\d)\\d{4}([-/.])\\d{1,2}\\1\\d{1,2}(?!\\d)",
            "(?<!\\d)\\d{1,2}([-/.])\\d{1,2}\\2(?:\\d{4}|\\d{2})(?!\\d)",
            "\\d{4} ?[年년]",
            "(?<!\\d)\\d{1,2}(?:h|(?::\\d{2})?:)\\d{2}(?!\\d)",
            "(?:[$€£¥₩]|(?<![a-z])(?:usd|eur|gbp|chf|jpy|krw|cny|rmb)) ?\\d[\\d.,]*",
            "(?<![\\d.,])\\d[\\d.,]{0,20} ?(?:[$€£¥₩%元円원]|(?:usd|eur|gbp|chf|jpy|krw|cny|rmb|dollars?|euros?)(?![a-z]))",
            "(?<![\\d.,])\\d{1,20}(?:\\.\\d{1,20})+",
            "(?<![\\d.,])\\d{1,3}(?:,\\d{3})+(?!\\d)",
            "(?<![\\d.,])\\d{1,20},\\d{2}(?!\\d| ?[分秒小])",
            "(?<![\\d.,])\\d{1,10} ?(?:seconds?|minutes?|hours?|days?|[km]b|px|km|points?|sekunden|minuten|stunden|secondes?"
                    + "|segundos?|minutos?|秒|分|時間|小时|시간|초)(?!\\p{L})",
            "\\+\\d[\\d ()./-]{6,20}\\d",
            "\\(\\d{2,5}\\) ?\\d[\\d -]{4,12}\\d",
            "(?<![\\d-])(?:\\d{1,3}[ -])?\\d{2,4}[ -]\\d{3,4}[ -]\\d{3,4}(?![\\d-])",
            "(?<!\\d)\\d{2}(?:[ .]\\d{2}){4}(?!\\d)",
            "(?<![a-z])[a-z]{2}\\d{2}(?: ?[a-z0-9]{4}){3,7}(?: ?[a-z0-9]{1,3})?(?![a-z0-9])",
            "(?<!\\d)\\d{4}(?: \\d{4}){2,3}(?!\\d)",
            "[*•x]{2,} ?\\d{4}(?![\\d*])",
            "(?<!\\d)\\d{3}-\\d{4}(?!\\d)"));

    /** Words that say that a number next to them is no code. */
    private static final String OTHER =
            "(?:zip|postal|post|promo(?:tion(?:al)?)?|coupon|discount|voucher|gift|referral|area|country"
                    + "|error|status|source|qr|bar|dress|colou?r|swift|sort|tracking|booking|product)[ -]?codes?"
                    + "|(?:gutschein|rabatt|aktions|promo|empfehlungs|fehler|farb)codes?"
                    + "|code (?:postal|promo|de réduction)|código (?:postal|promocional|de descuento)|cupón"
                    + "|(?<!\\p{L})(?:order|invoice|ticket|case|reference|ref|account|customer|member|booking|reservation|tracking"
                    + "|transaction|user|device|card|ending in|phone|tel|call|fax|mobile|zip|box|suite|vat|version|build|total|amount|id"
                    + "|plz|postleitzahl|telefon|mobil|hrb|betrag|bestell|auftrag|rechnung|kunden|konto|vertrag|sendung|vorgang"
                    + "|commande|facture|référence|réf|client|dossier|tél|montant|compte|colis"
                    + "|pedido|factura|referencia|cliente|teléfono|importe|cuenta|reserva)(?:s?nummer|nr|ung)?(?!\\p{L})"
                    + "|郵便番号|電話(?:番号)?|注文番号|受付番号|会員番号|お客様番号|予約番号|(?:クーポン|プロモーション|割引)コード|合計|金額"
                    + "|邮编|邮政编码|电话|订单编?号?|訂單(?:編號|號碼)?|优惠码|優惠碼|折扣码|兑换码|客服|金额|[账帐]号|帳號|单号"
                    + "|(?:우편|전화|주문|고객|회원|쿠폰|사업자등록|계좌|예약|접수|운송장)\\s?번호|할인\\s?코드|쿠폰|고객센터|금액";

    private static final String LABEL =
            "(?<!\\p{L})\\p{L}{0,30}?codes?(?!\\p{L})|(?<!\\p{L})(?:otp|pin|m?tan|código|clave)(?!\\p{L})"
                    + "|(?:one.?time|temporary) pass(?:word|code)|einmal(?:passwort|kennwort|pin)|mot de passe (?:à usage unique|temporaire)"
                    + "|contraseña (?:de un solo uso|temporal)|コード|(?:認証|確認|暗証)番号|ワンタイムパスワード"
                    + "|(?:验证|驗證|校验|校驗|动态|動態|确认|確認|激活|啟用|安全|登录|登入)[码碼]|(?:动态|動態|一次性)密[码碼]|口令"
                    + "|(?:인증|확인)\\s?번호|코드|(?:일회용|임시)\\s?비밀번호";

    private static final Pattern MARK = Pattern.compile("(" + OTHER + ")|(" + LABEL + ")");

    private static final Pattern CANDIDATE = Pattern.compile("(?<![A-Za-z0-9])(?<![A-Za-z0-9]-)"
            + "(?:(?:\\d{4} \\d{4}|\\d{3} \\d{3}|\\d{2} \\d{2} \\d{2}|\\d(?: \\d){3,7})(?! ?\\d)"
            + "|[A-Za-z0-9]{1,10}(?:-[A-Za-z0-9]{2,8}){0,3})(?!-?[A-Za-z0-9])");

    private static final Pattern DIGITS =
            Pattern.compile("\\d{4,8}|\\d{4}[ -]\\d{4}|\\d{3}[ -]\\d{3}|\\d\\d[ -]\\d\\d[ -]\\d\\d|\\d(?: \\d){3,7}");
    private static final Pattern YEAR = Pattern.compile("(?:19|20)\\d{2}");
    private static final Pattern PREFIXED = Pattern.compile("[A-Z]{1,3}-\\d{4,8}");
    private static final Pattern MIXED =
            Pattern.compile("(?=.*\\d)(?:(?=.*[A-Z])[A-Z0-9]{4,10}|[A-Z0-9]{3,5}(?:-[A-Z0-9]{3,5}){1,3})");
    /** Common words look like these, so that they need a label with a colon in front. */
    private static final Pattern DOUBTFUL =
            Pattern.compile("[A-Z]{5,8}|[A-Z]{3,5}(?:-[A-Z]{3,5}){1,3}|(?=.*\\d)(?=.*[a-z])[A-Za-z0-9]{5,10}");

    private static final Pattern COLON = Pattern.compile("[^\\p{L}\\p{N}]*:[^\\p{L}\\p{N}]*");
    private static final Pattern NEXT = Pattern.compile(
            "[^\\p{L}\\p{N}]*(?:(?:number|no|nr|n|id|is|lautet|est|es|は|が|为|為|是|은|는)[^\\p{L}\\p{N}]*){0,2}",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern SENTENCE_END = Pattern.compile("[.!?。](?:\\s|$)");
    private static final Pattern NOTHING = Pattern.compile("[^\\p{L}\\p{N}~]*");

    /** A line in which {@link #NO_CODE} is replaced by a tilde, and the marks in it. */
    private record Line(String text, List<Mark> marks) {

        static Line of(String text) {
            StringBuilder line = new StringBuilder();
            Matcher noCode = NO_CODE.matcher(lowerCase(text));
            int at = 0;
            while (noCode.find()) {
                line.append(text, at, noCode.start()).append('~');
                at = noCode.end();
            }
            line.append(text, at, text.length());
            List<Mark> marks = new ArrayList<>();
            Matcher mark = MARK.matcher(lowerCase(line.toString()));
            while (mark.find()) {
                marks.add(new Mark(mark.group(), mark.start(), mark.end(), mark.group(2) != null));
            }
            return new Line(line.toString(), marks);
        }

        /** Character by character, so that the indexes stay. */
        private static String lowerCase(String text) {
            StringBuilder lower = new StringBuilder(text);
            for (int i = 0; i < lower.length(); i++) {
                lower.setCharAt(i, Character.toLowerCase(lower.charAt(i)));
            }
            return lower.toString();
        }

        boolean hasLabel() {
            return marks.stream().anyMatch(Mark::isLabel);
        }
    }

    private record Mark(String word, int start, int end, boolean isLabel) {

        String quoted() {
            return "\"" + word + "\"";
        }
    }

    /** How near a label is, and which. */
    private record Nearness(int score, String why) {}

    private final List<Line> lines;

    private Codes(List<Line> lines) {
        this.lines = lines;
    }

    static List<Code> of(String subject, String textBody, String htmlBody) {
        Map<String, Code> best = new LinkedHashMap<>();
        for (String body : List.of(textBody, new HtmlText(Links.cut(htmlBody)).text())) {
            String document = subject + "\n" + body;
            List<Line> lines = normalized(document.substring(0, Math.min(document.length(), CHARACTERS_MAX)))
                    .lines()
                    .filter(line -> !line.isBlank())
                    .map(line -> line.substring(0, Math.min(line.length(), LINE_CHARACTERS_MAX)))
                    .map(Line::of)
                    .toList();
            if (lines.stream().anyMatch(Line::hasLabel)) {
                for (Code code : new Codes(lines).all()) {
                    best.merge(code.value(), code, (first, other) -> other.score() > first.score() ? other : first);
                }
            }
        }
        int top = best.values().stream().mapToInt(Code::score).max().orElse(0);
        return best.values().stream()
                .filter(code -> code.score() >= top - SCORES_APART_MAX)
                .sorted(Comparator.comparingInt(Code::score).reversed())
                .toList();
    }

    /** Full-width characters become ASCII, white space a space, and invisible characters are left out. */
    private static String normalized(String text) {
        String spaced = text.replaceAll("[，；：。！？]", "$0 ");
        return Normalizer.normalize(spaced, Normalizer.Form.NFKC)
                .replaceAll("[\\u00ad\\u200b-\\u200f\\u2060\\ufeff]", "")
                .replaceAll("[ \\t]+", " ");
    }

    private List<Code> all() {
        List<Code> codes = new ArrayList<>();
        int candidates = 0;
        for (int i = 0; i < lines.size(); i++) {
            Matcher candidate = CANDIDATE.matcher(lines.get(i).text());
            while (candidate.find() && candidates < CANDIDATES_MAX) {
                candidates++;
                Code code = judge(i, candidate.group(), candidate.start(), candidate.end());
                if (code != null) {
                    codes.add(code);
                }
            }
        }
        return codes;
    }

    private @Nullable Code judge(int index, String word, int start, int end) {
        String value = word;
        int shape;
        String what;
        if (DIGITS.matcher(word).matches()) {
            value = word.replaceAll("[ -]", "");
            shape = value.length() == 6 ? 20 : value.length() == 4 ? 8 : 12;
            what = value.length() + " digits";
        } else if (PREFIXED.matcher(word).matches()) {
            shape = 18;
            what = "a prefix and digits";
        } else if (MIXED.matcher(word).matches()) {
            shape = 14;
            what = "letters and digits";
        } else if (DOUBTFUL.matcher(word).matches() && isAnnounced(index, start)) {
            shape = 6;
            what = "after a colon";
        } else {
            return null;
        }
        Line line = lines.get(index);
        boolean alone = NOTHING.matcher(line.text().substring(0, start)).matches()
                && NOTHING.matcher(line.text().substring(end)).matches();
        Mark before = last(line, start, false);
        if (before != null
                && NEXT.matcher(line.text().substring(before.end(), start)).matches()) {
            if (!before.isLabel()) {
                return null;
            }
        } else if (YEAR.matcher(value).matches()) {
            return null;
        }
        Nearness nearness = inLine(line, start, end);
        if (nearness == null && alone) {
            nearness = aroundLine(index);
        }
        return nearness == null
                ? null
                : new Code(
                        value,
                        nearness.score() + shape + (alone ? 10 : 0),
                        nearness.why() + "; " + what + (alone ? "; alone on its line" : ""));
    }

    /** Whether a label and a colon stand in front of it, in its line or alone in the line before. */
    private boolean isAnnounced(int index, int start) {
        Line line = lines.get(index);
        Mark label = last(line, start, true);
        if (label != null) {
            return COLON.matcher(line.text().substring(label.end(), start)).matches();
        }
        return index > 0
                && lines.get(index - 1).hasLabel()
                && lines.get(index - 1).text().strip().endsWith(":")
                && NOTHING.matcher(line.text().substring(0, start)).matches();
    }

    private static @Nullable Nearness inLine(Line line, int start, int end) {
        Mark before = last(line, start, true);
        if (before != null && start - before.end() <= 60) {
            String gap = line.text().substring(before.end(), start);
            int score = 50
                    - Math.min(20, gap.length() / 2)
                    - (SENTENCE_END.matcher(gap).find() ? 20 : 0);
            return new Nearness(score, before.quoted() + " before it");
        }
        for (Mark after : line.marks()) {
            if (after.isLabel() && after.start() >= end) {
                String gap = line.text().substring(end, after.start());
                return gap.length() > 40 || SENTENCE_END.matcher(gap).find()
                        ? null
                        : new Nearness(45 - gap.length() / 2, after.quoted() + " after it");
            }
        }
        return null;
    }

    /** For a candidate alone on its line. */
    private @Nullable Nearness aroundLine(int index) {
        for (int i = index - 1; i >= Math.max(0, index - 3); i--) {
            Line line = lines.get(i);
            if (line.hasLabel()) {
                return new Nearness(45 - 5 * (index - i), "a label in a line before it");
            } else if (i == index - 1 && !line.marks().isEmpty()) {
                return null;
            }
        }
        for (int i = index + 1; i <= Math.min(lines.size() - 1, index + 2); i++) {
            if (lines.get(i).hasLabel()) {
                return new Nearness(35 - 5 * (i - index), "a label in a line after it");
            }
        }
        return new Nearness(10, "a label elsewhere");
    }

    private static @Nullable Mark last(Line line, int start, boolean onlyLabels) {
        Mark last = null;
        for (Mark mark : line.marks()) {
            if (mark.end() <= start && (mark.isLabel() || !onlyLabels)) {
                last = mark;
            }
        }
        return last;
    }
}
