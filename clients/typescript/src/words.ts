import { VOCABULARY } from "./vocabulary.js";

/** A word of a list in a folded text. */
export interface Found {
    /** The section of the word. */
    kind: string;
    start: number;
    end: number;
}

interface Entry {
    kind: string;
    text: string;
    openBefore: boolean;
    openAfter: boolean;
    /** Whether it matches anywhere: a word of a script without blanks. */
    anywhere: boolean;
}

const WORD_CHARACTER = /[\p{L}\p{M}]/u;
const IGNORED = /[\p{Mn}\p{Cf}\u115f\u1160]/gu;
const SECTIONS = sections();
const SAME = new Map(linesOf("same").flatMap((line) => line.split(" ").map((pair) => [pair[0]!, pair[1]!])));
for (const zero of linesOf("zero").flatMap((line) => line.split(" "))) {
    for (let i = 0; i < 10; i++) SAME.set(String.fromCharCode(zero.charCodeAt(0) + i), String(i));
}

function sections(): Map<string, string[]> {
    const all = new Map<string, string[]>();
    let lines: string[] = [];
    for (const line of VOCABULARY) {
        const name = /^\[([a-z]+)\]$/.exec(line)?.[1];
        if (name === undefined) lines.push(line);
        else all.set(name, (lines = []));
    }
    return all;
}

/** The lines of a section, without the names of languages. */
export function linesOf(section: string): string[] {
    return SECTIONS.get(section)!.map((line) => line.replace(/^[a-z]{2,5}: /, ""));
}

/**
 * Text in which the same words are the same characters: compatibility forms (NFKD) without accents and invisible characters,
 * composed again, with ASCII digits.
 */
export function plain(text: string): string {
    return text
        .normalize("NFKD")
        .replace(IGNORED, (mark) => (mark === "\u3099" || mark === "\u309a" ? mark : ""))
        .normalize("NFC")
        .replace(/[^\0-\x7f]/g, (character) => SAME.get(character) ?? character);
}

/** The same in lower case. It is as long, as each character is folded by itself. */
export function lowerCase(text: string): string {
    return text.replace(/\P{Ll}/gu, (character) => character.toLowerCase());
}

/** Without white space and controls at either end: what {@link isBlank} says. */
export function trimmed(text: string): string {
    let start = 0;
    let end = text.length;
    while (start < end && isBlank(text.charCodeAt(start))) start++;
    while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
    return text.slice(start, end);
}

/** White space of Unicode, controls of ASCII, and the invisible characters that stand for a blank. */
function isBlank(c: number): boolean {
    return (
        c <= 0x20 ||
        (c >= 0x7f && c <= 0xa0) ||
        c === 0x1680 ||
        (c >= 0x2000 && c <= 0x200b) ||
        (c >= 0x2028 && c <= 0x2029) ||
        c === 0x202f ||
        c === 0x205f ||
        c === 0x2060 ||
        c === 0x3000 ||
        c === 0xfeff
    );
}

/** A letter, or a mark of one. */
export function isWordCharacter(text: string, index: number): boolean {
    const c = text.charCodeAt(index);
    if (c < 0x80) return (c >= 0x61 && c <= 0x7a) || (c >= 0x41 && c <= 0x5a);
    return index >= 0 && index < text.length && WORD_CHARACTER.test(text[index]!);
}

/** Whether a character is of a script that is written without blanks between words. */
export function isWithoutBlanks(c: number): boolean {
    return (
        (c >= 0x0e00 && c <= 0x0eff) ||
        (c >= 0x1000 && c <= 0x109f) ||
        (c >= 0x1780 && c <= 0x17ff) ||
        (c >= 0x2e80 && c <= 0xd7ff) ||
        (c >= 0xf900 && c <= 0xfaff)
    );
}

/** Lists of words, as `clients/cases/words.txt` describes them. */
export class Words {
    readonly #byFirst = new Map<string, Entry[]>();

    constructor(...kinds: string[]) {
        for (const kind of kinds) {
            for (const word of linesOf(kind).flatMap((line) => line.split(" | "))) this.#add(kind, word);
        }
        for (const entries of this.#byFirst.values()) entries.sort((a, b) => b.text.length - a.text.length);
    }

    #add(kind: string, word: string): void {
        const text = lowerCase(plain(word.replace(/^\*|\*$/g, "")));
        const entries = this.#byFirst.get(text[0]!) ?? [];
        this.#byFirst.set(text[0]!, entries);
        entries.push({
            kind,
            text,
            openBefore: word.startsWith("*"),
            openAfter: word.endsWith("*"),
            anywhere: isWithoutBlanks(text.charCodeAt(0)),
        });
    }

    /** The words in a folded text, from the left, the longest first. */
    in(folded: string): Found[] {
        const all: Found[] = [];
        for (let at = 0; at < folded.length; ) {
            const found = this.at(folded, at);
            if (found) {
                while (found.start > (all.at(-1)?.end ?? 0) && this.#continues(folded, found.start)) found.start--;
                all.push(found);
            }
            at = found ? found.end : at + 1;
        }
        return all;
    }

    has(folded: string): boolean {
        for (let at = 0; at < folded.length; at++) {
            if (this.at(folded, at)) return true;
        }
        return false;
    }

    /** Whether one of the words ends here. */
    endsAt(folded: string, end: number): boolean {
        let start = end;
        while (this.#continues(folded, start - 1)) start--;
        return start > 0 && this.at(folded, start - 1)?.end === end;
    }

    /** The longest word that begins here. */
    at(folded: string, start: number): Found | undefined {
        const inside = this.#continues(folded, start);
        for (const entry of this.#byFirst.get(folded[start]!) ?? []) {
            if (inside && !entry.openBefore && !entry.anywhere) continue;
            let end = endOf(entry.text, folded, start);
            if (end < 0) continue;
            if (!entry.anywhere && this.#continues(folded, end)) {
                if (!entry.openAfter) continue;
                while (this.#continues(folded, end)) end++;
            }
            return { kind: entry.kind, start, end };
        }
        return undefined;
    }

    /** Whether the character belongs to the word before it; in scripts without blanks each begins a word. */
    #continues(folded: string, at: number): boolean {
        return (
            isWordCharacter(folded, at) &&
            isWordCharacter(folded, at - 1) &&
            !isWithoutBlanks(folded.charCodeAt(at)) &&
            !isWithoutBlanks(folded.charCodeAt(at - 1))
        );
    }
}

function endOf(word: string, folded: string, start: number): number {
    if (start + word.length > folded.length) return -1;
    for (let i = 0; i < word.length; i++) {
        const c = folded[start + i]!;
        if (c !== word[i] && !(word[i] === " " && c === "-")) return -1;
    }
    return start + word.length;
}
