import {
    announcesAtEnd,
    AT,
    type Candidate,
    candidatesIn,
    CONNECTORS,
    DIGITS,
    ENTER,
    ENTERED,
    hasContent,
    isLabel,
    isNameOfOther,
    isOther,
    joined,
    joins,
    type Line,
    MARKS,
    masked,
    OFFER,
    PURPOSE,
    SENTENCE_END,
    sentenceOf,
    YEAR,
} from "./code-line.js";
import { HtmlText } from "./html.js";
import { cut } from "./links.js";
import { type Found, plain, trimmed } from "./words.js";

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
const LIST = /^(?: ?[,;/|、] ?| ?[^,;.!?~]{1,6} )$/;
const LINE_END = /\r\n|[\n\r\u0085\u2028\u2029]/;

interface Nearness {
    score: number;
    why: string;
}

/** The codes of an e-mail, as `clients/README.md` describes for all languages of the clients. */
export function codesOf(subject: string, textBody: string, htmlBody: string): Code[] {
    const best = new Map<string, Code>();
    for (const body of [textBody, new HtmlText(cut(htmlBody)).text]) {
        for (const code of codesIn(read(`${subject}\n${body}`))) {
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

function codesIn(lines: Line[]): Code[] {
    const codes: Code[] = [];
    const near = lines.map(nearnessesIn);
    const hasLabel = lines.some((line) => line.marks.some(isLabel));
    for (const [index, line] of lines.entries()) {
        for (const [i, candidate] of line.candidates.entries()) {
            if (isOther(line, candidate)) continue;
            const direct = near[index]![i];
            const nearness = direct ?? entered(line, candidate) ?? (hasLabel ? around(lines, index, candidate) : undefined);
            if (!nearness || isOffered(lines, index, candidate, direct !== undefined)) continue;
            const { value, shape, what } = candidate;
            const score = nearness.score + shape + (line.isAlone ? 10 : 0);
            codes.push({ value, score, why: `${nearness.why}; ${what}${line.isAlone ? "; alone on its line" : ""}` });
        }
    }
    return codes;
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

/** For a number whose sentence says to enter it. */
function entered(line: Line, candidate: Candidate): Nearness | undefined {
    if (!DIGITS.test(candidate.value)) return undefined;
    const { folded } = line;
    const [start, end] = sentenceOf(line, candidate);
    const isClauseEnd = (index: number) => ",;".includes(folded[index]!);
    let next = candidate.end;
    while (next < end && !hasContent(line.text, next, next + 1) && !isClauseEnd(next)) next++;
    const nearness = { score: 42, why: "a word to enter it next to it" };
    if (ENTERED.at(folded, next)) return nearness;
    const call = ENTER.in(folded.slice(start, candidate.start)).at(-1);
    const from = start + (call?.end ?? 0);
    if (!call || folded.slice(from, candidate.start).includes(":") || !joins(line, from, candidate.start)) return undefined;
    const isAimed = AT.at(folded, next) !== undefined;
    const isMeant =
        call.kind === "use" ? isAimed && PURPOSE.has(folded.slice(next, end)) : isAimed || next === end || isClauseEnd(next);
    return isMeant ? nearness : undefined;
}

/** Whether the sentence of a candidate, or the lines around it, offer a discount with it. */
function isOffered(lines: Line[], index: number, candidate: Candidate, isNear: boolean): boolean {
    let line = lines[index]!;
    if (isOffer(line.folded.slice(...sentenceOf(line, candidate)), candidate)) return true;
    const above = isNear ? undefined : lines.slice(Math.max(0, index - 3), index).findLast((other) => other.announces);
    if (above) {
        if (isOffer(above.folded, candidate)) return true;
        line = above;
    }
    if (!candidate.isOfAShop || PURPOSE.has(line.folded)) return false;
    return [lines[0]!, ...lines.slice(Math.max(0, index - 1), index + 2)].some((other) => OFFER.has(other.folded));
}

/** Whether a text offers a discount with a candidate in it, or below it. */
function isOffer(folded: string, candidate: Candidate): boolean {
    return OFFER.has(folded) && (candidate.isOfAShop || !PURPOSE.has(folded));
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

function beginsWithConnector(gap: string): boolean {
    const start = gap.search(/[\p{L}\p{M}]|[,;.!?~。、]|[-=:] /u);
    return start >= 0 && ("-=:".includes(gap[start]!) || CONNECTORS.at(gap, start) !== undefined);
}

function endsWithConnector(gap: string): boolean {
    const words = CONNECTORS.in(gap);
    const last = words.at(-1);
    return /[:=] ?["'(\[*]*$/.test(gap) || (last !== undefined && !/[\p{L}\p{M}~,;]/u.test(gap.slice(last.end)));
}
