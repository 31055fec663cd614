package dev.oneshot.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the links of an e-mail. {@code clients/README.md} describes how, for all languages of the clients. */
final class Links {

    static final int CHARACTERS_MAX = 200_000;

    private static final Pattern WEB = Pattern.compile("https?://[^/].*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    /** The characters of RFC 3986 without square brackets, which more often stand around a URL. */
    private static final Pattern URL = Pattern.compile("https?://[!#-;=?-Z_a-z~]+", Pattern.CASE_INSENSITIVE);

    private static final Pattern NEVER =
            words("unsubscri|opt.?out|preferences|privacy|terms|help|support|in (?:your |a )?browser"
                    + "|abmelden|abbestell|datenschutz|désabonn|désinscri|confidentialité|darse de baja|privacidad"
                    + "|配信停止|プライバシー|退订|退訂|隐私|수신\\s?거부|개인정보");
    private static final Pattern STRONG =
            words("verif|vérif|confirm|valid|activ(?:at|er|ez|ar)|aktivier|bestätig|freischalt"
                    + "|確認|認証|有効化|验证|驗證|确认|激活|啟用|인증|확인|활성화");
    private static final Pattern WEAK =
            words("sign.?in|log.?in|magic|reset|password|anmelde|zurücksetzen|passwort|connexion"
                    + "|connecter|réinitialis|mot de passe|iniciar|restablecer|contraseña|ログイン|パスワード|こちら|登录|登入|密码|密碼|点击"
                    + "|로그인|비밀번호|여기|(?<!\\p{L})(?:here|hier|ici|aquí)(?!\\p{L})");
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_-]{16,}");
    private static final int SCORE_MIN = 20;

    private Links() {}

    static List<Link> of(String textBody, String htmlBody) {
        HtmlText html = new HtmlText(cut(htmlBody));
        Map<String, String> texts = new LinkedHashMap<>();
        for (Link link : html.links()) {
            if (WEB.matcher(link.href()).matches()) {
                texts.merge(link.href(), link.text(), (first, other) -> first.isEmpty() ? other : first);
            }
        }
        for (String text : List.of(html.textOutsideLinks(), cut(textBody))) {
            Matcher url = URL.matcher(text);
            while (url.find()) {
                String href = withoutPunctuation(url.group());
                texts.putIfAbsent(href, href);
            }
        }
        List<Link> links = new ArrayList<>();
        texts.forEach((href, text) -> links.add(new Link(text, href)));
        return List.copyOf(links);
    }

    static String cut(String body) {
        return body.substring(0, Math.min(body.length(), CHARACTERS_MAX));
    }

    /** A URL in a sentence, without the sentence's end or the bracket around the URL. */
    private static String withoutPunctuation(String url) {
        long unopened = url.chars().filter(c -> c == ')').count()
                - url.chars().filter(c -> c == '(').count();
        int end = url.length();
        while (true) {
            char last = url.charAt(end - 1);
            if (last == ')' && unopened > 0) {
                unopened--;
            } else if (".,;:!?'*_".indexOf(last) < 0) {
                return url.substring(0, end);
            }
            end--;
        }
    }

    static Optional<Link> verification(List<Link> links) {
        Link best = null;
        int bestScore = SCORE_MIN - 1;
        List<Link> withToken = new ArrayList<>();
        for (Link link : links) {
            String path = link.href().replaceFirst("^[^:]+://[^/?#]*", "");
            String text = link.text().equals(link.href()) ? "" : link.text();
            if (NEVER.matcher(text).find() || NEVER.matcher(path).find()) {
                continue;
            }
            boolean token = TOKEN.matcher(path).find();
            int score = points(text, 40, 20) + points(path, 25, 10) + (token ? 15 : 0);
            if (score > bestScore) {
                best = link;
                bestScore = score;
            }
            if (token) {
                withToken.add(link);
            }
        }
        return best == null && withToken.size() == 1 ? Optional.of(withToken.get(0)) : Optional.ofNullable(best);
    }

    private static int points(String text, int strong, int weak) {
        return STRONG.matcher(text).find() ? strong : WEAK.matcher(text).find() ? weak : 0;
    }

    private static Pattern words(String alternatives) {
        return Pattern.compile(alternatives, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
    }
}
