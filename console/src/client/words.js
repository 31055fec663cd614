import { VOCABULARY } from "./vocabulary.js";
const WORD_CHARACTER = /[\p{L}\p{M}]/u;
const IGNORED = /[\p{Mn}\p{Cf}\u115f\u1160]/gu;
const SECTIONS = sections();
const SAME = new Map(linesOf("same").flatMap((line) => line.split(" ").map((pair) => [pair[0], pair[1]])));
for (const zero of linesOf("zero").flatMap((line) => line.split(" "))) {
    for (let i = 0; i < 10; i++)
        SAME.set(String.fromCharCode(zero.charCodeAt(0) + i), String(i));
}
function sections() {
    const all = new Map();
    let lines = [];
    for (const line of VOCABULARY) {
        const name = /^\[([a-z]+)\]$/.exec(line)?.[1];
        if (name === undefined)
            lines.push(line);
        else
            all.set(name, (lines = []));
    }
    return all;
}
export function linesOf(section) {
    return SECTIONS.get(section).map((line) => line.replace(/^[a-z]{2,5}: /, ""));
}
export function plain(text) {
    return text
        .normalize("NFKD")
        .replace(IGNORED, (mark) => (mark === "\u3099" || mark === "\u309a" ? mark : ""))
        .normalize("NFC")
        .replace(/[^\0-\x7f]/g, (character) => SAME.get(character) ?? character);
}
export function lowerCase(text) {
    return text.replace(/\P{Ll}/gu, (character) => character.toLowerCase());
}
export function trimmed(text) {
    let start = 0;
    let end = text.length;
    while (start < end && isBlank(text.charCodeAt(start)))
        start++;
    while (end > start && isBlank(text.charCodeAt(end - 1)))
        end--;
    return text.slice(start, end);
}
function isBlank(c) {
    return (c <= 0x20 ||
        (c >= 0x7f && c <= 0xa0) ||
        c === 0x1680 ||
        (c >= 0x2000 && c <= 0x200b) ||
        (c >= 0x2028 && c <= 0x2029) ||
        c === 0x202f ||
        c === 0x205f ||
        c === 0x2060 ||
        c === 0x3000 ||
        c === 0xfeff);
}
export function isWordCharacter(text, index) {
    const c = text.charCodeAt(index);
    if (c < 0x80)
        return (c >= 0x61 && c <= 0x7a) || (c >= 0x41 && c <= 0x5a);
    return index >= 0 && index < text.length && WORD_CHARACTER.test(text[index]);
}
export function isWithoutBlanks(c) {
    return ((c >= 0x0e00 && c <= 0x0eff) ||
        (c >= 0x1000 && c <= 0x109f) ||
        (c >= 0x1780 && c <= 0x17ff) ||
        (c >= 0x2e80 && c <= 0xd7ff) ||
        (c >= 0xf900 && c <= 0xfaff));
}
export class Words {
    #byFirst = new Map();
    constructor(...kinds) {
        for (const kind of kinds) {
            for (const word of linesOf(kind).flatMap((line) => line.split(" | ")))
                this.#add(kind, word);
        }
        for (const entries of this.#byFirst.values())
            entries.sort((a, b) => b.text.length - a.text.length);
    }
    #add(kind, word) {
        const text = lowerCase(plain(word.replace(/^\*|\*$/g, "")));
        const entries = this.#byFirst.get(text[0]) ?? [];
        this.#byFirst.set(text[0], entries);
        entries.push({
            kind,
            text,
            openBefore: word.startsWith("*"),
            openAfter: word.endsWith("*"),
            anywhere: isWithoutBlanks(text.charCodeAt(0)),
        });
    }
    in(folded) {
        const all = [];
        for (let at = 0; at < folded.length;) {
            const found = this.at(folded, at);
            if (found) {
                while (found.start > (all.at(-1)?.end ?? 0) && this.#continues(folded, found.start))
                    found.start--;
                all.push(found);
            }
            at = found ? found.end : at + 1;
        }
        return all;
    }
    has(folded) {
        for (let at = 0; at < folded.length; at++) {
            if (this.at(folded, at))
                return true;
        }
        return false;
    }
    endsAt(folded, end) {
        let start = end;
        while (this.#continues(folded, start - 1))
            start--;
        return start > 0 && this.at(folded, start - 1)?.end === end;
    }
    at(folded, start) {
        const inside = this.#continues(folded, start);
        for (const entry of this.#byFirst.get(folded[start]) ?? []) {
            if (inside && !entry.openBefore && !entry.anywhere)
                continue;
            let end = endOf(entry.text, folded, start);
            if (end < 0)
                continue;
            if (!entry.anywhere && this.#continues(folded, end)) {
                if (!entry.openAfter)
                    continue;
                while (this.#continues(folded, end))
                    end++;
            }
            return { kind: entry.kind, start, end };
        }
        return undefined;
    }
    #continues(folded, at) {
        return (isWordCharacter(folded, at) &&
            isWordCharacter(folded, at - 1) &&
            !isWithoutBlanks(folded.charCodeAt(at)) &&
            !isWithoutBlanks(folded.charCodeAt(at - 1)));
    }
}
function endOf(word, folded, start) {
    if (start + word.length > folded.length)
        return -1;
    for (let i = 0; i < word.length; i++) {
        const c = folded[start + i];
        if (c !== word[i] && !(word[i] === " " && c === "-"))
            return -1;
    }
    return start + word.length;
}
