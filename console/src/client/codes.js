import { HtmlText } from "./html.js";
import { cut } from "./links.js";
const CHARACTERS_MAX = 50_000;
const LINE_CHARACTERS_MAX = 1000;
const CANDIDATES_MAX = 500;
const SCORES_APART_MAX = 25;
const NO_CODE_WORDS = either(String.raw `(?:https?://|www\.)[!#-;=?-Z_a-z~]+`, String.raw `[a-z0-9._%+-]{1,64}@[a-z0-9.-]{1,255}`, String.raw `[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`, String.raw `#[0-9a-z]+`, String.raw `(?<!\d)\d{4}([-/.])\d{1,2}\1\d{1,2}(?!\d)`, String.raw `(?<!\d)\d{1,2}([-/.])\d{1,2}\2(?:\d{4}|\d{2})(?!\d)`, String.raw `\d{4} ?[年년]`, String.raw `(?<!\d)\d{1,2}(?:h|(?::\d{2})?:)\d{2}(?!\d)`, String.raw `(?:[$€£¥₩]|(?<![a-z])(?:USD|EUR|GBP|CHF|JPY|KRW|CNY|RMB)) ?\d[\d.,]*`, String.raw `(?<![\d.,])\d[\d.,]{0,20} ?(?:[$€£¥₩%元円원]|(?:USD|EUR|GBP|CHF|JPY|KRW|CNY|RMB|dollars?|euros?)(?![a-z]))`, String.raw `(?<![\d.,])\d{1,20}(?:\.\d{1,20})+`, String.raw `(?<![\d.,])\d{1,3}(?:,\d{3})+(?!\d)`, String.raw `(?<![\d.,])\d{1,20},\d{2}(?!\d| ?[分秒小])`, String.raw `(?<![\d.,])\d{1,10} ?(?:seconds?|minutes?|hours?|days?|[km]b|px|km|points?|sekunden|minuten|stunden|secondes?|segundos?|minutos?|秒|分|時間|小时|시간|초)(?!\p{L})`, String.raw `\+\d[\d ()./-]{6,20}\d`, String.raw `\(\d{2,5}\) ?\d[\d -]{4,12}\d`, String.raw `(?<![\d-])(?:\d{1,3}[ -])?\d{2,4}[ -]\d{3,4}[ -]\d{3,4}(?![\d-])`, String.raw `(?<!\d)\d{2}(?:[ .]\d{2}){4}(?!\d)`, String.raw `(?<![a-z])[a-z]{2}\d{2}(?: ?[a-z0-9]{4}){3,7}(?: ?[a-z0-9]{1,3})?(?![a-z0-9])`, String.raw `(?<!\d)\d{4}(?: \d{4}){2,3}(?!\d)`, String.raw `[*•x]{2,} ?\d{4}(?![\d*])`, String.raw `(?<!\d)\d{3}-\d{4}(?!\d)`);
const OTHER = either(String.raw `(?:zip|postal|post|promo(?:tion(?:al)?)?|coupon|discount|voucher|gift|referral|area|country|error|status|source|qr|bar|dress|colou?r|swift|sort|tracking|booking|product)[ -]?codes?`, String.raw `(?:gutschein|rabatt|aktions|promo|empfehlungs|fehler|farb)codes?`, String.raw `code (?:postal|promo|de réduction)|código (?:postal|promocional|de descuento)|cupón`, String.raw `(?<!\p{L})(?:order|invoice|ticket|case|reference|ref|account|customer|member|booking|reservation|tracking|transaction|user|device|card|ending in|phone|tel|call|fax|mobile|zip|box|suite|vat|version|build|total|amount|id|plz|postleitzahl|telefon|mobil|hrb|betrag|bestell|auftrag|rechnung|kunden|konto|vertrag|sendung|vorgang|commande|facture|référence|réf|client|dossier|tél|montant|compte|colis|pedido|factura|referencia|cliente|teléfono|importe|cuenta|reserva)(?:s?nummer|nr|ung)?(?!\p{L})`, String.raw `郵便番号|電話(?:番号)?|注文番号|受付番号|会員番号|お客様番号|予約番号|(?:クーポン|プロモーション|割引)コード|合計|金額`, String.raw `邮编|邮政编码|电话|订单编?号?|訂單(?:編號|號碼)?|优惠码|優惠碼|折扣码|兑换码|客服|金额|[账帐]号|帳號|单号`, String.raw `(?:우편|전화|주문|고객|회원|쿠폰|사업자등록|계좌|예약|접수|운송장)\s?번호|할인\s?코드|쿠폰|고객센터|금액`);
const LABEL = either(String.raw `(?<!\p{L})\p{L}{0,30}?codes?(?!\p{L})|(?<!\p{L})(?:otp|pin|m?tan|código|clave)(?!\p{L})`, String.raw `(?:one.?time|temporary) pass(?:word|code)|einmal(?:passwort|kennwort|pin)|mot de passe (?:à usage unique|temporaire)`, String.raw `contraseña (?:de un solo uso|temporal)|コード|(?:認証|確認|暗証)番号|ワンタイムパスワード`, String.raw `(?:验证|驗證|校验|校驗|动态|動態|确认|確認|激活|啟用|安全|登录|登入)[码碼]|(?:动态|動態|一次性)密[码碼]|口令`, String.raw `(?:인증|확인)\s?번호|코드|(?:일회용|임시)\s?비밀번호`);
const NO_CODE = new RegExp(NO_CODE_WORDS, "giu");
const MARK = new RegExp(`(${OTHER})|(${LABEL})`, "giu");
const CANDIDATE = new RegExp(String.raw `(?<![A-Za-z0-9])(?<![A-Za-z0-9]-)` +
    String.raw `(?:(?:\d{4} \d{4}|\d{3} \d{3}|\d{2} \d{2} \d{2}|\d(?: \d){3,7})(?! ?\d)` +
    String.raw `|[A-Za-z0-9]{1,10}(?:-[A-Za-z0-9]{2,8}){0,3})(?!-?[A-Za-z0-9])`, "g");
const DIGITS = /^(?:\d{4,8}|\d{4}[ -]\d{4}|\d{3}[ -]\d{3}|\d\d[ -]\d\d[ -]\d\d|\d(?: \d){3,7})$/;
const YEAR = /^(?:19|20)\d{2}$/;
const PREFIXED = /^[A-Z]{1,3}-\d{4,8}$/;
const MIXED = /^(?=.*\d)(?:(?=.*[A-Z])[A-Z0-9]{4,10}|[A-Z0-9]{3,5}(?:-[A-Z0-9]{3,5}){1,3})$/;
const DOUBTFUL = /^(?:[A-Z]{5,8}|[A-Z]{3,5}(?:-[A-Z]{3,5}){1,3}|(?=.*\d)(?=.*[a-z])[A-Za-z0-9]{5,10})$/;
const COLON = /^[^\p{L}\p{N}]*:[^\p{L}\p{N}]*$/u;
const NEXT = /^[^\p{L}\p{N}]*(?:(?:number|no|nr|n|id|is|lautet|est|es|は|が|为|為|是|은|는)[^\p{L}\p{N}]*){0,2}$/iu;
const SENTENCE_END = /[.!?。](?:\s|$)/;
const NOTHING = /^[^\p{L}\p{N}~]*$/u;
export function codesOf(subject, textBody, htmlBody) {
    const best = new Map();
    for (const body of [textBody, new HtmlText(cut(htmlBody)).text]) {
        const lines = linesOf(`${subject}\n${body}`);
        if (!lines.some(hasLabel))
            continue;
        for (const code of codesIn(lines)) {
            if (code.score > (best.get(code.value)?.score ?? -1))
                best.set(code.value, code);
        }
    }
    const codes = Array.from(best.values()).sort((a, b) => b.score - a.score);
    return codes.filter((code) => code.score >= codes[0].score - SCORES_APART_MAX);
}
function linesOf(text) {
    return text
        .slice(0, CHARACTERS_MAX)
        .replace(/[，；：。！？]/g, "$& ")
        .normalize("NFKC")
        .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, "")
        .replace(/[ \t]+/g, " ")
        .split(/\r\n|[\r\n]/)
        .filter((line) => line.trim() !== "")
        .map((line) => {
        const replaced = line.slice(0, LINE_CHARACTERS_MAX).replace(NO_CODE, "~");
        const marks = Array.from(replaced.matchAll(MARK), (mark) => ({
            word: mark[0].toLowerCase(),
            start: mark.index,
            end: mark.index + mark[0].length,
            isLabel: mark.at(-1) !== undefined,
        }));
        return { text: replaced, marks };
    });
}
function codesIn(lines) {
    const codes = [];
    let candidates = 0;
    for (const [index, line] of lines.entries()) {
        for (const { 0: word, index: start } of line.text.matchAll(CANDIDATE)) {
            if (candidates++ === CANDIDATES_MAX)
                return codes;
            const code = judge(lines, index, word, start);
            if (code)
                codes.push(code);
        }
    }
    return codes;
}
function judge(lines, index, word, start) {
    const line = lines[index];
    const end = start + word.length;
    let value = word;
    let shape;
    let what;
    if (DIGITS.test(word)) {
        value = word.replace(/[ -]/g, "");
        shape = value.length === 6 ? 20 : value.length === 4 ? 8 : 12;
        what = `${value.length} digits`;
    }
    else if (PREFIXED.test(word)) {
        shape = 18;
        what = "a prefix and digits";
    }
    else if (MIXED.test(word)) {
        shape = 14;
        what = "letters and digits";
    }
    else if (DOUBTFUL.test(word) && isAnnounced(lines, index, start)) {
        shape = 6;
        what = "after a colon";
    }
    else {
        return undefined;
    }
    const alone = NOTHING.test(line.text.slice(0, start)) && NOTHING.test(line.text.slice(end));
    const before = line.marks.findLast((mark) => mark.end <= start);
    if (before && NEXT.test(line.text.slice(before.end, start))) {
        if (!before.isLabel)
            return undefined;
    }
    else if (YEAR.test(value)) {
        return undefined;
    }
    const nearness = inLine(line, start, end) ?? (alone ? aroundLine(lines, index) : undefined);
    if (!nearness)
        return undefined;
    const why = `${nearness.why}; ${what}${alone ? "; alone on its line" : ""}`;
    return { value, score: nearness.score + shape + (alone ? 10 : 0), why };
}
function isAnnounced(lines, index, start) {
    const line = lines[index];
    const label = labelBefore(line, start);
    if (label)
        return COLON.test(line.text.slice(label.end, start));
    const previous = lines[index - 1];
    return (previous !== undefined &&
        hasLabel(previous) &&
        previous.text.trim().endsWith(":") &&
        NOTHING.test(line.text.slice(0, start)));
}
function inLine(line, start, end) {
    const before = labelBefore(line, start);
    if (before && start - before.end <= 60) {
        const gap = line.text.slice(before.end, start);
        const score = 50 - Math.min(20, half(gap)) - (SENTENCE_END.test(gap) ? 20 : 0);
        return { score, why: `"${before.word}" before it` };
    }
    const after = line.marks.find((mark) => mark.isLabel && mark.start >= end);
    if (!after)
        return undefined;
    const gap = line.text.slice(end, after.start);
    if (gap.length > 40 || SENTENCE_END.test(gap))
        return undefined;
    return { score: 45 - half(gap), why: `"${after.word}" after it` };
}
function aroundLine(lines, index) {
    for (let i = index - 1; i >= Math.max(0, index - 3); i--) {
        const line = lines[i];
        if (hasLabel(line))
            return { score: 45 - 5 * (index - i), why: "a label in a line before it" };
        if (i === index - 1 && line.marks.length > 0)
            return undefined;
    }
    for (let i = index + 1; i <= Math.min(lines.length - 1, index + 2); i++) {
        if (hasLabel(lines[i]))
            return { score: 35 - 5 * (i - index), why: "a label in a line after it" };
    }
    return { score: 10, why: "a label elsewhere" };
}
function labelBefore(line, start) {
    return line.marks.findLast((mark) => mark.isLabel && mark.end <= start);
}
function hasLabel(line) {
    return line.marks.some((mark) => mark.isLabel);
}
function half(gap) {
    return Math.floor(gap.length / 2);
}
function either(...alternatives) {
    return alternatives.join("|");
}
