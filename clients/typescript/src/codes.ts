import { HtmlText } from "./html.js";
import { cut } from "./links.js";
import { type Found, isWordCharacter, linesOf, lowerCase, plain, trimmed, Words } from "./words.js";

/** A one-time code of an e-mail. */
export interface Code {
    /** As a person types it: `123 456` is `123456`, and a hyphen stays where there are letters (`G-123456`). */
    value: string;
    /** The higher, the more likely it is the code; comparable within one e-mail. */
    score: number;
    /** What speaks for it, as in `"verification code" before it; 6 digits`. */
    why: string;
}

/** Codes stand in short e-mails and lines. The bounds keep the time of a hostile one short. */
const CHARACTERS_MAX = 50_000;
const LINE_CHARACTERS_MAX = 1000;
const CANDIDATES_MAX = 500;
const SCORES_APART_MAX = 25;
/** Words between a label and its code. */
const CONNECTORS_MAX = 5;

const MASK = new RegExp(linesOf("mask").join("|"), "gu");
const MARKS = new Words("label", "secret", "other");
const CONNECTORS = new Words("connector", "number");
const NUMBERS = new Words("number");
const MEASURES = new Words("unit", "money");
const ENDINGS = new Words("ending");
/** A number after these is another one, unless they follow a label. */
const NAMES = new Words("number", "money");
const NAME_CHARACTERS_MAX = 20;
/** Capitals that are no code. */
const CAPITALS = new Words("word", "confirm", "signin", "deny", "aside", "label", "secret");

const CANDIDATE =
    /(?<![A-Za-z0-9])(?<![A-Za-z0-9]-)(?:(?:[0-9]{4} [0-9]{4}|[0-9]{3} ?[-.|] ?[0-9]{3}|[0-9]{3} [0-9]{3}|[0-9]{2} [0-9]{2} [0-9]{2}|[A-Z0-9](?: [A-Z0-9]){3,9}|[0-9](?:-[0-9]){3,7})(?! ?[0-9])|[A-Za-z0-9]{1,10}(?:-[A-Za-z0-9]{2,8}){0,3})(?!-?[A-Za-z0-9])/g;
const DIGITS = /^[0-9]{4,8}$/;
const SPACED = /^[A-Z0-9](?: [A-Z0-9])+$/;
const GROUPS = /^[0-9]+(?:[ .|-]+[0-9]+)+$/;
const YEAR = /^(?:19|20)[0-9]{2}$/;
const PREFIXED = /^[A-Z]{1,3}-[0-9]{4,8}$/;
const MIXED = /^(?=.*[0-9])(?:(?=.*[A-Z])[A-Z0-9]{4,10}|[A-Z0-9]{3,5}(?:-[A-Z0-9]{3,5}){1,3})$/;
/** Words look like these, so that they need to be announced. */
const CAPITALS_ONLY = /^(?:[A-Z]{4,8}|[A-Z]{3,5}(?:-[A-Z]{3,5}){1,3})$/;
const WITH_LOWER_CASE = /^(?=.*[0-9])(?=.*[a-z])[A-Za-z0-9]{5,10}$/;
const SENTENCE_END = /[.!?。؟।](?: |$)/;
const LIST = /^(?: ?[,;/|、] ?| ?[^,;.!?~]{1,6} )$/;
const LINE_END = /\r\n|[\n\r\u0085\u2028\u2029]/;

/** A token that may be a code, in a line. */
interface Candidate {
    value: string;
    start: number;
    end: number;
    shape: number;
    what: string;
    isDoubtful: boolean;
}

/** A line without other numbers, and what is in it. */
interface Line {
    text: string;
    folded: string;
    marks: Found[];
    candidates: Candidate[];
    /** Whether it has nothing but a candidate. */
    isAlone: boolean;
    /** Whether one of its labels has no code in this line. */
    announces: boolean;
}

interface Nearness {
    score: number;
    why: string;
}

/** The codes of an e-mail, as `clients/README.md` describes for all languages of the clients. */
export function codesOf(subject: string, textBody: string, htmlBody: string): Code[] {
    const best = new Map<string, Code>();
    for (const body of [textBody, new HtmlText(cut(htmlBody)).text]) {
        const lines = read(`${subject}\n${body}`);
        if (!lines.some((line) => line.marks.some(isLabel))) continue;
        for (const code of codesIn(lines)) {
            if (code.score > (best.get(code.value)?.score ?? -1)) best.set(code.value, code);
        }
    }
    const codes = Array.from(best.values()).sort((a, b) => b.score - a.score);
    return codes.filter((code) => code.score >= codes[0]!.score - SCORES_APART_MAX);
}

function read(text: string): Line[] {
    const lines = plain(text.slice(0, CHARACTERS_MAX).replace(/[，；：。！？]/g, "$& "))
        .split(LINE_END)
        .map((line) => trimmed(line.slice(0, LINE_CHARACTERS_MAX).replace(/[\0- \u00a0\u1680]+/g, " ")))
        .filter((line) => line !== "");
    let left = CANDIDATES_MAX;
    return joined(lines).map((line) => {
        const { text, folded } = masked(line);
        const marks = MARKS.in(folded);
        const candidates = candidatesIn(text).slice(0, left);
        left -= candidates.length;
        const [first] = candidates;
        const isAlone =
            candidates.length === 1 && !hasContent(text, 0, first!.start) && !hasContent(text, first!.end, text.length);
        return { text, folded, marks, candidates, isAlone, announces: marks.some(isLabel) };
    });
}

/** Joins a code that is laid out over lines: its characters, or groups of two or three digits. */
function joined(lines: string[]): string[] {
    const all: string[] = [];
    for (let i = 0; i < lines.length; ) {
        const tile = tileOf(lines[i]!);
        let end = i;
        while (tile > 0 && end < lines.length && tileOf(lines[end]!) === tile) end++;
        const count = end - i;
        const isCode = tile === 1 ? count >= 4 && count <= 10 : tile === 2 ? count === 3 : tile === 3 && count === 2;
        if (isCode) all.push(lines.slice(i, end).join(" "));
        else all.push(...lines.slice(i, Math.max(end, i + 1)));
        i = Math.max(end, i + 1);
    }
    return all;
}

/** The length of a line that may be a part of a code; 0 for others. */
function tileOf(line: string): number {
    return /^(?:[A-Z0-9]|[0-9]{2,3})$/.test(line) ? line.length : 0;
}

/** The line with a tilde for each text with digits that is no code, and the same folded. */
function masked(line: string): { text: string; folded: string } {
    const folded = lowerCase(line);
    let text = "";
    let at = 0;
    for (const { 0: found, index } of folded.matchAll(MASK)) {
        text += `${line.slice(at, index)}~`;
        at = index + found.length;
    }
    text += line.slice(at);
    return { text, folded: lowerCase(text) };
}

function candidatesIn(text: string): Candidate[] {
    const candidates: Candidate[] = [];
    for (const { 0: token, index: start } of text.matchAll(CANDIDATE)) {
        const value = SPACED.test(token) ? token.replace(/ /g, "") : GROUPS.test(token) ? token.replace(/[ .|-]/g, "") : token;
        const [shape, what] = shapeOf(value);
        if (shape > 0) candidates.push({ value, start, end: start + token.length, shape, what, isDoubtful: shape === 6 });
    }
    return candidates;
}

function shapeOf(value: string): [number, string] {
    if (DIGITS.test(value)) return [value.length === 6 ? 20 : value.length === 4 ? 8 : 12, `${value.length} digits`];
    if (PREFIXED.test(value)) return [18, "a prefix and digits"];
    if (MIXED.test(value)) return [14, "letters and digits"];
    if (WITH_LOWER_CASE.test(value)) return [6, "letters and digits, announced"];
    if (CAPITALS_ONLY.test(value) && !CAPITALS.has(lowerCase(value))) return [6, "letters, announced"];
    return [0, ""];
}

function codesIn(lines: Line[]): Code[] {
    const codes: Code[] = [];
    const near = lines.map(nearnessesIn);
    for (const [index, line] of lines.entries()) {
        for (const [i, candidate] of line.candidates.entries()) {
            if (isOther(line, candidate)) continue;
            const direct = near[index]![i];
            const nearness = direct ?? around(lines, index, candidate);
            if (!nearness) continue;
            const { value, shape, what } = candidate;
            const score = nearness.score + shape + (line.isAlone ? 10 : 0);
            codes.push({ value, score, why: `${nearness.why}; ${what}${line.isAlone ? "; alone on its line" : ""}` });
        }
    }
    return codes;
}

/** Whether a word next to it, or its form, says that it is another number. */
function isOther(line: Line, { value, start, end }: Candidate): boolean {
    const { folded } = line;
    const next = folded[end] === " " || folded[end] === "-" ? end + 1 : end;
    if (ENDINGS.at(folded, next)) return true;
    const before = line.marks.findLast((mark) => mark.end <= start);
    if (before && joins(line, before.end, start)) return before.kind === "other";
    if (YEAR.test(value) || MEASURES.at(folded, next)) return true;
    if (folded.startsWith(" (", end) && MARKS.at(folded, end + 2)?.kind === "other") return true;
    const near = folded.slice(Math.max(0, start - NAME_CHARACTERS_MAX), start);
    const name = NAMES.in(near).at(-1);
    return name !== undefined && /^[ .:#]*$/.test(near.slice(name.end));
}

/** For each candidate of a line, how near a label in the line is. A label has one code, or a list of codes. */
function nearnessesIn(line: Line): (Nearness | undefined)[] {
    const near: (Nearness | undefined)[] = line.candidates.map(() => undefined);
    let left = false;
    for (const [i, mark] of line.marks.entries()) {
        if (!isLabel(mark)) continue;
        const claims = claimsOf(line, mark, line.marks[i + 1], line.marks[i - 1]);
        if (claims.length === 0) left = true;
        for (const [index, nearness] of claims) {
            if (nearness.score > (near[index]?.score ?? -1)) near[index] = nearness;
        }
    }
    line.announces = left;
    return near;
}

function claimsOf(line: Line, mark: Found, nextMark: Found | undefined, previous: Found | undefined): [number, Nearness][] {
    const { folded, candidates } = line;
    const word = `"${folded.slice(mark.start, mark.end)}"`;
    const isSecret = mark.kind === "secret";
    const limit = nextMark && isLabel(nextMark) ? nextMark.start : folded.length;
    const after = candidates.findIndex(
        (candidate) => candidate.start >= mark.end && candidate.end <= limit && isFree(line, candidate),
    );
    let before = -1;
    for (const [i, candidate] of candidates.entries()) {
        if (candidate.end <= mark.start && isFree(line, candidate)) before = i;
    }
    if (after >= 0 && joins(line, mark.end, candidates[after]!.start) && isAnnounced(line, mark, candidates[after]!)) {
        return listFrom(line, after, { score: isSecret ? 45 : 50, why: `${word} before it` });
    }
    if (before >= 0) {
        const candidate = candidates[before]!;
        const gap = folded.slice(candidate.end, mark.start);
        const isOpen = !SENTENCE_END.test(gap) && !(previous && isLabel(previous) && previous.start >= candidate.end);
        if (isOpen && gap.length <= 60 && beginsWithConnector(gap) && (!candidate.isDoubtful || candidate.start === 0)) {
            return [[before, { score: isSecret ? 43 : 48, why: `${word} after it` }]];
        }
    }
    if (isSecret) return [];
    if (after >= 0 && !candidates[after]!.isDoubtful) {
        const gap = folded.slice(mark.end, candidates[after]!.start);
        const isSentence = !SENTENCE_END.test(gap);
        if (isSentence && gap.length <= 100 && endsWithConnector(gap)) {
            return listFrom(line, after, { score: 44, why: `${word} before it` });
        }
        if (isSentence && gap.length <= 60) {
            return listFrom(line, after, { score: gap.length <= 30 ? 40 : 34, why: `${word} before it` });
        }
    }
    if (before >= 0 && !candidates[before]!.isDoubtful) {
        const gap = folded.slice(candidates[before]!.end, mark.start);
        if (gap.length <= 40 && !SENTENCE_END.test(gap)) return [[before, { score: 38, why: `${word} after it` }]];
    }
    if (after >= 0 && !candidates[after]!.isDoubtful && candidates[after]!.start - mark.end <= 60) {
        return listFrom(line, after, { score: 28, why: `${word} in the sentence before it` });
    }
    return [];
}

/** A candidate, and those that follow it as in a list. */
function listFrom({ folded, candidates }: Line, first: number, nearness: Nearness): [number, Nearness][] {
    const list: [number, Nearness][] = [[first, nearness]];
    for (let i = first + 1; i < candidates.length; i++) {
        const gap = folded.slice(candidates[i - 1]!.end, candidates[i]!.start);
        if (!LIST.test(gap) || candidates[i]!.isDoubtful || MARKS.has(gap)) break;
        list.push([i, nearness]);
    }
    return list;
}

/** Whether a label may have this candidate. */
function isFree(line: Line, candidate: Candidate): boolean {
    return !isOther(line, candidate) || YEAR.test(candidate.value);
}

/** Whether capitals or lower case, which a word may have too, are said to be the code. */
function isAnnounced(line: Line, mark: Found, candidate: Candidate): boolean {
    if (!candidate.isDoubtful) return true;
    const gap = line.folded.slice(mark.end, candidate.start);
    if (gap.includes(":")) return true;
    const rest = line.text.slice(candidate.end);
    const isSentence = /[a-z\u0370-\uffff]/.test(line.text.slice(0, candidate.start));
    return isSentence && /[\p{L}"'「\[(*]/u.test(gap) && /^["'」\])*]*(?:[.,!。]|$| ?です| ?입니다)/.test(rest);
}

/** For a candidate at the start of a line: the lines around it. */
function around(lines: Line[], index: number, candidate: Candidate): Nearness | undefined {
    const line = lines[index]!;
    const previous = lines[index - 1];
    if (!line.isAlone) {
        const isFirst = !hasContent(line.text, 0, candidate.start) && !candidate.isDoubtful;
        const isCalled = isFirst && previous?.announces && previous.text.endsWith(":");
        return isCalled ? { score: 35, why: "a label in the line before it" } : undefined;
    }
    if (candidate.isDoubtful) {
        return previous?.announces && announcesAtEnd(previous)
            ? { score: 45, why: "a label in the line before it" }
            : undefined;
    }
    let distance = 0;
    for (let i = index - 1; i >= 0 && distance < 4; i--) {
        const other = lines[i]!;
        if (other.isAlone && !other.marks.some(isLabel)) continue;
        distance++;
        const last = other.marks.at(-1);
        if (distance === 1 && last?.kind === "other" && isNameOfOther(other, last)) return undefined;
        if (!other.announces) continue;
        const isCall = distance < 4 && other.text.endsWith(":");
        return { score: isCall ? 45 : 50 - 5 * distance, why: "a label in a line before it" };
    }
    for (let i = index + 1; i <= Math.min(lines.length - 1, index + 2); i++) {
        if (lines[i]!.announces) return { score: 35 - 5 * (i - index), why: "a label in a line after it" };
    }
    return { score: 10, why: "a label elsewhere" };
}

/** Whether the line ends with a colon, or with its label. */
function announcesAtEnd(line: Line): boolean {
    const last = line.marks.findLast(isLabel)!;
    return line.text.endsWith(":") || isAtEnd(line, last);
}

/** Whether the line says what the number below it is, rather than being a sentence with such a word. */
function isNameOfOther(line: Line, mark: Found): boolean {
    return isAtEnd(line, mark) && (/[:#]$/.test(line.text) || joins(line, 0, mark.start));
}

function isAtEnd(line: Line, mark: Found): boolean {
    return joins(line, mark.end, line.text.length);
}

/** Whether only connectors stand between the two indexes, and no end of a clause. */
function joins({ folded }: Line, start: number, end: number): boolean {
    let words = 0;
    for (let at = start; at < end; ) {
        if (isWordCharacter(folded, at)) {
            const connector = CONNECTORS.at(folded, at);
            if (!connector || connector.end > end || ++words > CONNECTORS_MAX) return false;
            at = connector.end;
        } else {
            const c = folded[at]!;
            const isClauseEnd =
                ",;!?~。、؟،".includes(c) || (c === "." && folded[at + 1] === " " && !NUMBERS.endsAt(folded, at));
            if (isClauseEnd || (c >= "0" && c <= "9")) return false;
            at++;
        }
    }
    return true;
}

function beginsWithConnector(gap: string): boolean {
    const start = gap.search(/[\p{L}\p{M}]|[,;.!?~。、]|[-=:] /u);
    return start >= 0 && ("-=:".includes(gap[start]!) || CONNECTORS.at(gap, start) !== undefined);
}

function endsWithConnector(gap: string): boolean {
    const words = CONNECTORS.in(gap);
    const last = words.at(-1);
    return /[:=] ?["'(\[*]*$/.test(gap) || (last !== undefined && !/[\p{L}\p{M}~,;]/u.test(gap.slice(last.end)));
}

function hasContent(text: string, start: number, end: number): boolean {
    for (let i = start; i < end; i++) {
        if (text[i] === "~" || (text[i]! >= "0" && text[i]! <= "9") || isWordCharacter(text, i)) return true;
    }
    return false;
}

function isLabel(mark: Found): boolean {
    return mark.kind !== "other";
}
