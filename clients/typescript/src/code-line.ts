import { type Found, isWordCharacter, linesOf, lowerCase, Words } from "./words.js";

/** Words between a label and its code. */
const CONNECTORS_MAX = 5;
const MASK = new RegExp(linesOf("mask").join("|"), "gu");
export const MARKS = new Words("label", "secret", "other");
export const CONNECTORS = new Words("connector", "number");
const NUMBERS = new Words("number");
const MEASURES = new Words("unit", "money");
const ENDINGS = new Words("ending");
/** A number after these is another one, unless they follow a label. */
const NAMES = new Words("number", "money");
const NAME_CHARACTERS_MAX = 20;
/** Capitals that are no code. */
const CAPITALS = new Words("word", "confirm", "signin", "deny", "aside", "label", "secret");
export const ENTER = new Words("enter", "use");
export const ENTERED = new Words("entered", "used");
export const AT = new Words("at");
export const WITH = new Words("with");
export const PURPOSE = new Words("confirm", "signin");
export const TASK = new Words("task");
export const TASK_OR_CONFIRM = new Words("task", "confirm");
export const OFFER = new Words("offer");
const CANDIDATE =
    /(?<![A-Za-z0-9])(?<![A-Za-z0-9]-)(?:(?:[0-9]{4} [0-9]{4}|[0-9]{3} ?[-.|] ?[0-9]{3}|[0-9]{3} [0-9]{3}|[0-9]{2} [0-9]{2} [0-9]{2}|[A-Z0-9](?: [A-Z0-9]){3,9}|[0-9](?:-[0-9]){3,7})(?! ?[0-9])|[A-Za-z0-9]{1,10}(?:-[A-Za-z0-9]{2,8}){0,3})(?!-?[A-Za-z0-9])/g;
export const DIGITS = /^[0-9]{4,8}$/;
const SPACED = /^[A-Z0-9](?: [A-Z0-9])+$/;
const GROUPS = /^[0-9]+(?:[ .|-]+[0-9]+)+$/;
export const YEAR = /^(?:19|20)[0-9]{2}$/;
const PREFIXED = /^[A-Z]{1,3}-[0-9]{4,8}$/;
const MIXED = /^(?=.*[0-9])(?:(?=.*[A-Z])[A-Z0-9]{4,10}|[A-Z0-9]{3,5}(?:-[A-Z0-9]{3,5}){1,3})$/;
/** Words look like these, so that they need to be announced. */
const CAPITALS_ONLY = /^(?:[A-Z]{4,8}|[A-Z]{3,5}(?:-[A-Z]{3,5}){1,3})$/;
const OF_A_SHOP = /^[A-Z]{3,}[0-9]{0,4}$/;
const WITH_LOWER_CASE = /^(?=.*[0-9])(?=.*[a-z])[A-Za-z0-9]{5,10}$/;
export const SENTENCE_END = /[.!?。؟।](?: |$)/;
const SENTENCE_ENDS = new RegExp(SENTENCE_END, "g");

/** A token that may be a code, in a line. */
export interface Candidate {
    value: string;
    start: number;
    end: number;
    shape: number;
    what: string;
    isDoubtful: boolean;
    /** Whether it looks like `SAVE20`. */
    isOfAShop: boolean;
}

/** A line without other numbers, and what is in it. */
export interface Line {
    text: string;
    folded: string;
    marks: Found[];
    candidates: Candidate[];
    /** Whether it has nothing but a candidate. */
    isAlone: boolean;
    /** Whether one of its labels has no code in this line. */
    announces: boolean;
}

/** Joins a code that is laid out over lines: its characters, or groups of two or three digits. */
export function joined(lines: string[]): string[] {
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
export function masked(line: string): { text: string; folded: string } {
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

export function candidatesIn(text: string): Candidate[] {
    const candidates: Candidate[] = [];
    for (const { 0: token, index: start } of text.matchAll(CANDIDATE)) {
        const value = SPACED.test(token) ? token.replace(/ /g, "") : GROUPS.test(token) ? token.replace(/[ .|-]/g, "") : token;
        const [shape, what] = shapeOf(value);
        if (shape === 0) continue;
        const isOfAShop = OF_A_SHOP.test(value);
        candidates.push({ value, start, end: start + token.length, shape, what, isDoubtful: shape === 6, isOfAShop });
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

/** Whether a word next to it, or its form, says that it is another number. */
export function isOther(line: Line, { value, start, end }: Candidate): boolean {
    const { folded } = line;
    const next = folded[end] === " " || folded[end] === "-" ? end + 1 : end;
    if (ENDINGS.at(folded, next)) return true;
    const before = line.marks.findLast((mark) => mark.end <= start);
    if (before && joins(line, before.end, start)) return before.kind === "other";
    if (YEAR.test(value) || MEASURES.at(folded, next)) return true;
    const inBrackets = folded.startsWith(" (", end) ? MARKS.at(folded, end + 2) : undefined;
    // Not "(ref: 1234)", which has a number of its own.
    if (inBrackets?.kind === "other" && joins(line, inBrackets.end, `${folded})`.indexOf(")", inBrackets.end))) return true;
    const near = folded.slice(Math.max(0, start - NAME_CHARACTERS_MAX), start);
    const name = NAMES.in(near).at(-1);
    return name !== undefined && /^[ .:#]*$/.test(near.slice(name.end));
}

export function sentenceOf({ folded }: Line, { start, end }: Candidate): [number, number] {
    let from = 0;
    for (const { 0: mark, index } of folded.matchAll(SENTENCE_ENDS)) {
        if (index + mark.length <= start) from = index + mark.length;
        else if (index >= end) return [from, index];
    }
    return [from, folded.length];
}

/** Whether the line ends with a colon, or with its label. */
export function announcesAtEnd(line: Line): boolean {
    const last = line.marks.findLast(isLabel)!;
    return line.text.endsWith(":") || isAtEnd(line, last);
}

/** Whether the line says what the number below it is, rather than being a sentence with such a word. */
export function isNameOfOther(line: Line, mark: Found): boolean {
    return isAtEnd(line, mark) && (/[:#]$/.test(line.text) || joins(line, 0, mark.start));
}

function isAtEnd(line: Line, mark: Found): boolean {
    return joins(line, mark.end, line.text.length);
}

/** Whether only connectors stand between the two indexes, and no end of a clause. */
export function joins({ folded }: Line, start: number, end: number): boolean {
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

export function hasContent(text: string, start: number, end: number): boolean {
    for (let i = start; i < end; i++) {
        if (text[i] === "~" || (text[i]! >= "0" && text[i]! <= "9") || isWordCharacter(text, i)) return true;
    }
    return false;
}

export function isLabel(mark: Found): boolean {
    return mark.kind !== "other";
}
