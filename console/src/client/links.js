import { HtmlText } from "./html.js";
const CHARACTERS_MAX = 200_000;
const SCORE_MIN = 20;
const WEB = /^https?:\/\/[^/]/i;
const URL = /https?:\/\/[!#-;=?-Z_a-z~]+/gi;
const TOKEN = /[A-Za-z0-9_-]{16,}/;
const NEVER = words("unsubscri|opt.?out|preferences|privacy|terms|help|support|in (?:your |a )?browser" +
    "|abmelden|abbestell|datenschutz|désabonn|désinscri|confidentialité|darse de baja|privacidad" +
    "|配信停止|プライバシー|退订|退訂|隐私|수신\\s?거부|개인정보");
const STRONG = words("verif|vérif|confirm|valid|activ(?:at|er|ez|ar)|aktivier|bestätig|freischalt" +
    "|確認|認証|有効化|验证|驗證|确认|激活|啟用|인증|확인|활성화");
const WEAK = words("sign.?in|log.?in|magic|reset|password|anmelde|zurücksetzen|passwort|connexion" +
    "|connecter|réinitialis|mot de passe|iniciar|restablecer|contraseña|ログイン|パスワード|こちら|登录|登入|密码|密碼|点击" +
    "|로그인|비밀번호|여기|(?<!\\p{L})(?:here|hier|ici|aquí)(?!\\p{L})");
export function cut(body) {
    return body.slice(0, CHARACTERS_MAX);
}
export function linksOf(textBody, htmlBody) {
    const html = new HtmlText(cut(htmlBody));
    const texts = new Map();
    for (const { text, href } of html.links) {
        if (WEB.test(href))
            texts.set(href, texts.get(href) || text);
    }
    for (const text of [html.textOutsideLinks, cut(textBody)]) {
        for (const [url] of text.matchAll(URL)) {
            const href = withoutPunctuation(url);
            if (!texts.has(href))
                texts.set(href, href);
        }
    }
    return Array.from(texts, ([href, text]) => ({ text, href }));
}
export function verificationLinkOf(links) {
    let best;
    let bestScore = SCORE_MIN - 1;
    const withToken = [];
    for (const link of links) {
        const path = link.href.replace(/^[^:]+:\/\/[^/?#]*/, "");
        const text = link.text === link.href ? "" : link.text;
        if (NEVER.test(text) || NEVER.test(path))
            continue;
        const token = TOKEN.test(path);
        const score = points(text, 40, 20) + points(path, 25, 10) + (token ? 15 : 0);
        if (score > bestScore) {
            best = link;
            bestScore = score;
        }
        if (token)
            withToken.push(link);
    }
    return best ?? (withToken.length === 1 ? withToken[0] : undefined);
}
function withoutPunctuation(url) {
    let unopened = url.split(")").length - url.split("(").length;
    let end = url.length;
    for (;;) {
        const last = url[end - 1];
        if (last === ")" && unopened > 0)
            unopened--;
        else if (!".,;:!?'*_".includes(last))
            return url.slice(0, end);
        end--;
    }
}
function points(text, strong, weak) {
    return STRONG.test(text) ? strong : WEAK.test(text) ? weak : 0;
}
function words(alternatives) {
    return new RegExp(alternatives, "iu");
}
