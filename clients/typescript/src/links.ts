import { type Anchor, HtmlText } from "./html.js";
import { isWithoutBlanks, isWordCharacter, lowerCase, plain, trimmed, Words } from "./words.js";

/** A link of an e-mail. */
export interface Link {
    /** What the link shows, with white space collapsed: the text, an image's description, or the URL itself. */
    text: string;
    /** The URL, `http` or `https`, as the e-mail has it; it may be malformed. */
    href: string;
}

/** A link, with the words around it. */
interface Place extends Link, Context {}

interface Context {
    /** The sentence in front of `before`. */
    previous: string;
    before: string;
    after: string;
}

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
const DENYING_PARAMETER =
    /[?&;](?:action|do|op|cmd|mode|answer|choice|decision|response)=([a-z_-]{2,20})(?![a-z0-9%_-])/g;
const REFUSING_PARAMETER = /[?&;](?:confirm|confirmed|verify|approve|accept|valid)=(?:no|false|0|n)(?![a-z0-9])/;
const CONFIRM = new Words("confirm");
const SIGN_IN = new Words("signin");
const DENY = new Words("deny");
const NEGATION = new Words("negation");
const DENY_OR_NEGATION = new Words("deny", "negation");
const IGNORE = new Words("ignore");
const ASIDE = new Words("aside");

/** The part of a body that is read. */
export function cut(body: string): string {
    return body.slice(0, CHARACTERS_MAX);
}

/** The links of an e-mail, as `clients/README.md` describes for all languages of the clients. */
export function linksOf(textBody: string, htmlBody: string): Link[] {
    return placesOf(textBody, htmlBody).map(({ text, href }) => ({ text, href }));
}

/** The link that confirms an address, by the words in it and around it; without such words the only one with a token. */
export function verificationLinkOf(textBody: string, htmlBody: string): Link | undefined {
    let best: Place | undefined;
    let bestScore = SCORE_MIN - 1;
    const withToken: Place[] = [];
    for (const place of placesOf(textBody, htmlBody)) {
        const score = scoreOf(place);
        if (score === undefined) continue;
        if (score > bestScore) {
            best = place;
            bestScore = score;
        }
        if (TOKEN.test(pathOf(place.href))) withToken.push(place);
    }
    const found = best ?? (withToken.length === 1 ? withToken[0] : undefined);
    return found && { text: found.text, href: found.href };
}

function placesOf(textBody: string, htmlBody: string): Place[] {
    const html = new HtmlText(cut(htmlBody));
    const places = new Map<string, Place>();
    const anchors = html.anchors;
    for (const [i, anchor] of anchors.entries()) {
        const href = withoutLineEnds(anchor.href);
        if (!WEB.test(href)) continue;
        const first = places.get(href);
        if (first === undefined) places.set(href, { text: anchor.text, href, ...contextOf(html.text, anchor, anchors[i - 1], anchors[i + 1]) });
        else if (first.text === "") first.text = anchor.text;
    }
    for (const text of [html.textOutsideLinks, cut(textBody)]) {
        const urls = urlsIn(text);
        for (const [i, url] of urls.entries()) {
            const { href } = url;
            if (!places.has(href)) places.set(href, { text: href, href, ...contextOf(text, url, urls[i - 1], urls[i + 1]) });
        }
    }
    return Array.from(places.values());
}

/** As the URL parser of WHATWG: without white space and controls at the ends, and without tabs and line ends inside. */
function withoutLineEnds(href: string): string {
    return trimmed(href).replace(/[\t\n\r]/g, "");
}

/** The URLs in a text. */
function urlsIn(text: string): Anchor[] {
    const urls: Anchor[] = [];
    let at = 0;
    for (const { index: start, 0: scheme } of text.matchAll(URL_START)) {
        if (start < at) continue;
        const inBrackets = bracketed(text, start);
        const end = inBrackets ?? endOfUrl(text, start, start + scheme.length);
        if (end === start + scheme.length) continue;
        const href = text.slice(start, end);
        urls.push({ text: "", href: inBrackets === undefined ? href : withoutBreaks(href), start, end });
        at = end;
    }
    return urls;
}

/** The end of a URL in angle brackets (RFC 3986, appendix C), which may have blanks in it. */
function bracketed(text: string, start: number): number | undefined {
    if (!/<(?:URL:)?$/i.test(text.slice(Math.max(0, start - 5), start))) return undefined;
    const rest = text.slice(start, start + URL_CHARACTERS_MAX);
    const end = rest.search(/[<>"]/);
    return end < 0 || rest[end] !== ">" || /\n[ \t\r]*\n/.test(rest.slice(0, end)) ? undefined : start + end;
}

/** A line end in a URL is layout, with the blanks around it. */
function withoutBreaks(url: string): string {
    return trimmed(url.replace(/[ \t]*[\r\n]+[ \t]*/g, ""));
}

/** The end of a URL in a sentence: without what ends the sentence, or closes what was opened before the URL. */
function endOfUrl(text: string, start: number, from: number): number {
    const open: string[] = [];
    let end = from;
    const limit = Math.min(text.length, start + URL_CHARACTERS_MAX);
    while (end < limit) {
        const c = text[end]!;
        if (")]".includes(c)) {
            if (open.pop() !== (c === ")" ? "(" : "[")) break;
        } else if ("([".includes(c)) {
            open.push(c);
        } else if (c > "\x7f") {
            const next = endOfLetters(text, end);
            if (next === end) break;
            end = next;
            continue;
        } else if (!ASCII.test(c)) {
            break;
        }
        end++;
    }
    return withoutPunctuation(text, start, from, end);
}

/** The end of letters that are not ASCII. Those of scripts without blanks belong to a URL only if it goes on after them. */
function endOfLetters(text: string, start: number): number {
    let end = start;
    let isWithout = false;
    while (end < text.length && text[end]! > "\x7f") {
        const c = String.fromCodePoint(text.codePointAt(end)!);
        if (!LETTER.test(c)) break;
        isWithout ||= isWithoutBlanks(text.charCodeAt(end));
        end += c.length;
    }
    return isWithout && !/^(?:[/?#=&%-]|\.[^ \r\n.])/.test(text.slice(end, end + 2)) ? start : end;
}

function withoutPunctuation(text: string, start: number, from: number, to: number): number {
    let end = to;
    while (end > from) {
        const last = text[end - 1]!;
        if ("*_'~".includes(last) ? !isOpen(text, start, last) : !".,;:!?([|".includes(last)) break;
        end--;
    }
    return end;
}

/** Whether this character, as around `*bold*` text, stands before a word of the line and not after one. */
function isOpen(text: string, start: number, mark: string): boolean {
    const line = text.slice(Math.max(text.lastIndexOf("\n", start - 1) + 1, start - CONTEXT_CHARACTERS_MAX), start);
    let open = false;
    for (let i = 0; i < line.length; i++) {
        if (line[i] !== mark) continue;
        const follows = i > 0 && (isWordCharacter(line, i - 1) || /[0-9.,:;!?)]/.test(line[i - 1]!));
        if (!follows) open = true;
        else if (open) open = false;
    }
    return open;
}

/** The last two sentences before a link, also from lines above, and the words after it, up to the next links. */
function contextOf(text: string, { start, end }: Anchor, previousLink?: Anchor, nextLink?: Anchor): Context {
    const from = Math.max(previousLink?.end ?? 0, start - CONTEXT_CHARACTERS_MAX, 0);
    const to = Math.min(nextLink?.start ?? text.length, end + CONTEXT_CHARACTERS_MAX, text.length);
    const [before = "", previous = ""] = text.slice(from, start).split(LINE_OR_SENTENCE_END).filter(hasWord).reverse();
    return { previous, before, after: text.slice(end, Math.max(to, end)).split(LINE_OR_SENTENCE_END)[0]! };
}

function hasWord(line: string): boolean {
    for (let i = 0; i < line.length; i++) {
        if (isWordCharacter(line, i)) return true;
    }
    return false;
}

/** How well a link fits; undefined if it is none that confirms. */
function scoreOf({ text, href, ...context }: Place): number | undefined {
    const shown = text === href || /^https?:\/\//i.test(text) ? "" : folded(text);
    if (DENY.has(shown) || NEGATION.has(shown)) return undefined;
    const confirms = CONFIRM.has(shown);
    if (!confirms && ASIDE.has(shown)) return undefined;
    const path = pathOf(href);
    const [withoutQuery = ""] = path.split("?", 1);
    const route = folded(withoutQuery.replace(/[_.]/g, " "));
    const ownPath = folded(`${route} ${withoutTargets(path).slice(withoutQuery.length)}`.replace(/_/g, " "));
    const pathConfirms = CONFIRM.has(ownPath);
    const before = folded(context.before);
    const after = folded(context.after);
    if (!confirms) {
        if (denies(route, folded(path))) return undefined;
        if (ASIDE.has(route) && !(pathConfirms && TOKEN.test(path))) return undefined;
        if (deniesBefore(folded(context.previous), before, pathConfirms)) return undefined;
        if (DENY.has(after) && !pathConfirms) return undefined;
    }
    const own = confirms ? 40 : SIGN_IN.has(shown) ? 20 : 0;
    const around = confirms ? 0 : contextPoints(before, after);
    const ofPath = pathConfirms ? 25 : SIGN_IN.has(ownPath) ? 10 : 0;
    return own + around + ofPath + (TOKEN.test(path) ? 15 : 0);
}

/**
 * Whether the sentence before the link denies. The one before that counts too, as in "Not you? Click here:", unless it asks to
 * ignore the e-mail, or the next one confirms.
 */
function deniesBefore(previous: string, before: string, pathConfirms: boolean): boolean {
    const goesOn = DENY.has(previous) && !IGNORE.has(previous) && !CONFIRM.has(before);
    const sentence = goesOn ? `${previous} ${before}` : before;
    const isOfTwoMinds = pathConfirms && (CONFIRM.has(sentence) || IGNORE.has(sentence));
    return DENY.has(sentence) && !isOfTwoMinds;
}

function contextPoints(before: string, after: string): number {
    if (CONFIRM.has(before) || CONFIRM.has(after)) return 12;
    return SIGN_IN.has(before) ? 5 : 0;
}

/** Whether the path, or a parameter that says what to do, denies. */
function denies(route: string, path: string): boolean {
    if (DENY.has(route) || REFUSING_PARAMETER.test(path)) return true;
    return Array.from(path.matchAll(DENYING_PARAMETER)).some(([, value]) =>
        DENY_OR_NEGATION.has(value!.replace(/_/g, " ")),
    );
}

/** The path without values that name another URL. */
function withoutTargets(path: string): string {
    return path.replace(/=[^&#;]*(?:%2[fF]|\/|:)[^&#;]*/g, "=");
}

function pathOf(href: string): string {
    return href.replace(/^[^:]+:\/\/[^/?#]*/, "");
}

function folded(text: string): string {
    return lowerCase(plain(text));
}
