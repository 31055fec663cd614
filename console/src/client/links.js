import { HtmlText } from "./html.js";
import { isWithoutBlanks, isWordCharacter, lowerCase, plain, trimmed, Words } from "./words.js";
const CHARACTERS_MAX = 200_000;
const CONTEXT_CHARACTERS_MAX = 200;
const URL_CHARACTERS_MAX = 8000;
const SCORE_MIN = 20;
const WEB = /^https?:\/\/[^/]/i;
const URL_START = /https?:\/\//gi;
const ASCII = /[!#-;=?-Z_a-z~|[\]]/;
const LETTER = /[\p{L}\p{M}\p{N}]/u;
const LINE_OR_SENTENCE_END = /[\n\r]|[.!?。؟।](?: |$)/;
const TOKEN = /[A-Za-z0-9_-]{16,}/;
const DENYING_PARAMETER = /[?&;](?:action|do|op|cmd|mode|answer|choice|decision|response)=([a-z_-]{2,20})(?![a-z0-9%_-])/g;
const REFUSING_PARAMETER = /[?&;](?:confirm|confirmed|verify|approve|accept|valid)=(?:no|false|0|n)(?![a-z0-9])/;
const CONFIRM = new Words("confirm");
const SIGN_IN = new Words("signin");
const DENY = new Words("deny");
const NEGATION = new Words("negation");
const DENY_OR_NEGATION = new Words("deny", "negation");
const IGNORE = new Words("ignore");
const ASIDE = new Words("aside");
export function cut(body) {
    return body.slice(0, CHARACTERS_MAX);
}
export function linksOf(textBody, htmlBody) {
    return placesOf(textBody, htmlBody).map(({ text, href }) => ({ text, href }));
}
export function verificationLinkOf(textBody, htmlBody) {
    let best;
    let bestScore = SCORE_MIN - 1;
    const withToken = [];
    for (const place of placesOf(textBody, htmlBody)) {
        const score = scoreOf(place);
        if (score === undefined)
            continue;
        if (score > bestScore) {
            best = place;
            bestScore = score;
        }
        if (TOKEN.test(pathOf(place.href)))
            withToken.push(place);
    }
    const found = best ?? (withToken.length === 1 ? withToken[0] : undefined);
    return found && { text: found.text, href: found.href };
}
function placesOf(textBody, htmlBody) {
    const html = new HtmlText(cut(htmlBody));
    const places = new Map();
    const anchors = html.anchors;
    for (const [i, anchor] of anchors.entries()) {
        const href = withoutLineEnds(anchor.href);
        if (!WEB.test(href))
            continue;
        const first = places.get(href);
        if (first === undefined)
            places.set(href, { text: anchor.text, href, ...contextOf(html.text, anchor, anchors[i - 1], anchors[i + 1]) });
        else if (first.text === "")
            first.text = anchor.text;
    }
    for (const text of [html.textOutsideLinks, cut(textBody)]) {
        const urls = urlsIn(text);
        for (const [i, url] of urls.entries()) {
            const { href } = url;
            if (!places.has(href))
                places.set(href, { text: href, href, ...contextOf(text, url, urls[i - 1], urls[i + 1]) });
        }
    }
    return Array.from(places.values());
}
function withoutLineEnds(href) {
    return trimmed(href).replace(/[\t\n\r]/g, "");
}
function urlsIn(text) {
    const urls = [];
    let at = 0;
    for (const { index: start, 0: scheme } of text.matchAll(URL_START)) {
        if (start < at)
            continue;
        const inBrackets = bracketed(text, start);
        const end = inBrackets ?? endOfUrl(text, start, start + scheme.length);
        if (end === start + scheme.length)
            continue;
        const href = text.slice(start, end);
        urls.push({ text: "", href: inBrackets === undefined ? href : withoutBreaks(href), start, end });
        at = end;
    }
    return urls;
}
function bracketed(text, start) {
    if (!/<(?:URL:)?$/i.test(text.slice(Math.max(0, start - 5), start)))
        return undefined;
    const rest = text.slice(start, start + URL_CHARACTERS_MAX);
    const end = rest.search(/[<>"]/);
    return end < 0 || rest[end] !== ">" || /\n[ \t\r]*\n/.test(rest.slice(0, end)) ? undefined : start + end;
}
function withoutBreaks(url) {
    return trimmed(url.replace(/[ \t]*[\r\n]+[ \t]*/g, ""));
}
function endOfUrl(text, start, from) {
    const open = [];
    let end = from;
    const limit = Math.min(text.length, start + URL_CHARACTERS_MAX);
    while (end < limit) {
        const c = text[end];
        if (")]".includes(c)) {
            if (open.pop() !== (c === ")" ? "(" : "["))
                break;
        }
        else if ("([".includes(c)) {
            open.push(c);
        }
        else if (c > "\x7f") {
            const next = endOfLetters(text, end);
            if (next === end)
                break;
            end = next;
            continue;
        }
        else if (!ASCII.test(c)) {
            break;
        }
        end++;
    }
    return withoutPunctuation(text, start, from, end);
}
function endOfLetters(text, start) {
    let end = start;
    let isWithout = false;
    while (end < text.length && text[end] > "\x7f") {
        const c = String.fromCodePoint(text.codePointAt(end));
        if (!LETTER.test(c))
            break;
        isWithout ||= isWithoutBlanks(text.charCodeAt(end));
        end += c.length;
    }
    return isWithout && !/^(?:[/?#=&%-]|\.[^ \r\n.])/.test(text.slice(end, end + 2)) ? start : end;
}
function withoutPunctuation(text, start, from, to) {
    let end = to;
    while (end > from) {
        const last = text[end - 1];
        if ("*_'~".includes(last) ? !isOpen(text, start, last) : !".,;:!?([|".includes(last))
            break;
        end--;
    }
    return end;
}
function isOpen(text, start, mark) {
    const line = text.slice(Math.max(text.lastIndexOf("\n", start - 1) + 1, start - CONTEXT_CHARACTERS_MAX), start);
    let open = false;
    for (let i = 0; i < line.length; i++) {
        if (line[i] !== mark)
            continue;
        const follows = i > 0 && (isWordCharacter(line, i - 1) || /[0-9.,:;!?)]/.test(line[i - 1]));
        if (!follows)
            open = true;
        else if (open)
            open = false;
    }
    return open;
}
function contextOf(text, { start, end }, previousLink, nextLink) {
    const from = Math.max(previousLink?.end ?? 0, start - CONTEXT_CHARACTERS_MAX, 0);
    const to = Math.min(nextLink?.start ?? text.length, end + CONTEXT_CHARACTERS_MAX, text.length);
    const [before = "", previous = ""] = text.slice(from, start).split(LINE_OR_SENTENCE_END).filter(hasWord).reverse();
    return { previous, before, after: text.slice(end, Math.max(to, end)).split(LINE_OR_SENTENCE_END)[0] };
}
function hasWord(line) {
    for (let i = 0; i < line.length; i++) {
        if (isWordCharacter(line, i))
            return true;
    }
    return false;
}
function scoreOf({ text, href, ...context }) {
    const shown = text === href || /^https?:\/\//i.test(text) ? "" : folded(text);
    if (DENY.has(shown) || NEGATION.has(shown))
        return undefined;
    const confirms = CONFIRM.has(shown);
    if (!confirms && ASIDE.has(shown))
        return undefined;
    const path = pathOf(href);
    const [withoutQuery = ""] = path.split("?", 1);
    const route = folded(withoutQuery.replace(/[_.]/g, " "));
    const ownPath = folded(`${route} ${withoutTargets(path).slice(withoutQuery.length)}`.replace(/_/g, " "));
    const pathConfirms = CONFIRM.has(ownPath);
    const before = folded(context.before);
    const after = folded(context.after);
    if (!confirms) {
        if (denies(route, folded(path)))
            return undefined;
        if (ASIDE.has(route) && !(pathConfirms && TOKEN.test(path)))
            return undefined;
        if (deniesBefore(folded(context.previous), before, pathConfirms))
            return undefined;
        if (DENY.has(after) && !pathConfirms)
            return undefined;
    }
    const own = confirms ? 40 : SIGN_IN.has(shown) ? 20 : 0;
    const around = confirms ? 0 : contextPoints(before, after);
    const ofPath = pathConfirms ? 25 : SIGN_IN.has(ownPath) ? 10 : 0;
    return own + around + ofPath + (TOKEN.test(path) ? 15 : 0);
}
function deniesBefore(previous, before, pathConfirms) {
    const goesOn = DENY.has(previous) && !IGNORE.has(previous) && !CONFIRM.has(before);
    const sentence = goesOn ? `${previous} ${before}` : before;
    const isOfTwoMinds = pathConfirms && (CONFIRM.has(sentence) || IGNORE.has(sentence));
    return DENY.has(sentence) && !isOfTwoMinds;
}
function contextPoints(before, after) {
    if (CONFIRM.has(before) || CONFIRM.has(after))
        return 12;
    return SIGN_IN.has(before) ? 5 : 0;
}
function denies(route, path) {
    if (DENY.has(route) || REFUSING_PARAMETER.test(path))
        return true;
    return Array.from(path.matchAll(DENYING_PARAMETER)).some(([, value]) => DENY_OR_NEGATION.has(value.replace(/_/g, " ")));
}
function withoutTargets(path) {
    return path.replace(/=[^&#;]*(?:%2[fF]|\/|:)[^&#;]*/g, "=");
}
function pathOf(href) {
    return href.replace(/^[^:]+:\/\/[^/?#]*/, "");
}
function folded(text) {
    return lowerCase(plain(text));
}
