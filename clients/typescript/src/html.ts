import { linesOf, trimmed } from "./words.js";
import { Visibility } from "./visibility.js";

/** A link as it stands in HTML, and where it is in the text. */
export interface Anchor {
    text: string;
    href: string;
    start: number;
    end: number;
}

const SKIPPED = new Set(["style", "script", "title", "template"]);
const CELLS = new Set(["td", "th"]);
const INLINE = new Set("a abbr b code em font i img input kbd mark s small span strong sub sup tt u wbr".split(" "));
/** The types of fields that do not show their value. */
const VALUELESS = new Set("checkbox color file hidden image password radio range".split(" "));
const TAG = /<\/?([a-zA-Z][a-zA-Z0-9:]{0,20})|<[!?]/y;
const ATTRIBUTE =
    /([a-zA-Z-]{1,30})(?:[ \t\r\n\f]*=[ \t\r\n\f]*(?:"([^"]*)"|'([^']*)'|([^ \t\r\n\f"'>]+)))?/g;
const ENTITY = /&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g;
/** As in `&eacute;`: a letter and its combining mark. */
const ACCENTED = /^([a-zA-Z])(acute|grave|circ|uml|tilde|cedil|ring|caron)$/;
const MARKS: Record<string, string> = {
    acute: "\u0301",
    grave: "\u0300",
    circ: "\u0302",
    uml: "\u0308",
    tilde: "\u0303",
    cedil: "\u0327",
    ring: "\u030a",
    caron: "\u030c",
};
const ENTITIES = new Map([
    ...linesOf("entity")
        .flatMap((line) => line.split(" | "))
        .map((pair) => pair.split(" ") as [string, string]),
    ...["nbsp", "ensp", "emsp", "thinsp"].map((name): [string, string] => [name, " "]),
    ...["zwnj", "zwj", "shy", "lrm", "rlm"].map((name): [string, string] => [name, ""]),
]);

/** Text whose white space is collapsed while it is put together. */
class Text {
    value = "";
    private last = "\n";

    append(more: string): void {
        const collapsed = more.replace(/[ \t\r\n\f\u00a0]+/g, " ");
        const added = /[ \n]/.test(this.last) && collapsed.startsWith(" ") ? collapsed.slice(1) : collapsed;
        this.value += added;
        this.last = added.at(-1) ?? this.last;
    }

    breakLine(): void {
        if (this.last !== "\n") this.value += this.last = "\n";
    }
}

/**
 * Reads the visible text and the links of an HTML body. One pass without recovery: an e-mail may be broken, but reading it costs
 * no more than its length.
 */
export class HtmlText {
    /** Links as they stand, of any scheme, with duplicates; without those that no one sees. */
    readonly anchors: Anchor[] = [];
    readonly #text = new Text();
    readonly #textOutsideLinks = new Text();
    readonly #visibility = new Visibility();
    #link: { href: string; text: Text; start: number; isSeen: boolean; isHidden: boolean } | undefined;

    constructor(html: string) {
        for (let at = 0; at < html.length; ) {
            const tag = html.indexOf("<", at);
            const end = tag < 0 ? html.length : tag;
            this.#append(decode(html.slice(at, end)));
            at = tag < 0 ? end : this.#afterTag(html, tag);
        }
        this.#endLink();
    }

    /** A line for each block, with white space collapsed. */
    get text(): string {
        return this.#text.value;
    }

    /** The same without the text of links. */
    get textOutsideLinks(): string {
        return this.#textOutsideLinks.value;
    }

    /** Reads the tag at this index and returns the index after it. */
    #afterTag(html: string, start: number): number {
        if (html.startsWith("<!--", start)) {
            const end = html.indexOf("-->", start + 4);
            return end < 0 ? html.length : end + 3;
        }
        TAG.lastIndex = start;
        const tag = TAG.exec(html);
        if (tag === null) {
            this.#append("<");
            return start + 1;
        }
        const end = endOfTag(html, start);
        if (end < 0) return html.length;
        const name = tag[1]?.toLowerCase() ?? "";
        const opens = html[start + 1] !== "/";
        if (opens && SKIPPED.has(name)) {
            const close = new RegExp(`</${name}`, "gi");
            close.lastIndex = end;
            return close.exec(html)?.index ?? html.length;
        }
        if (name !== "") {
            if (opens) this.#open(name, attributesOf(html.slice(start + tag[0].length, end)));
            else this.#close(name);
        }
        return end + 1;
    }

    #open(name: string, attributes: ReadonlyMap<string, string>): void {
        if (name === "a") this.#endLink();
        this.#separate(name);
        if (name === "img") this.#appendShown(name, attributes, "alt");
        else if (name === "input" && !VALUELESS.has(trimmed(attributes.get("type") ?? "").toLowerCase()))
            this.#appendShown(name, attributes, "value");
        this.#visibility.start(name, attributes);
        if (name === "a") {
            const href = attributes.get("href") ?? "";
            this.#link = { href, text: new Text(), start: this.text.length, isSeen: false, isHidden: false };
        }
    }

    #close(name: string): void {
        if (name === "a") this.#endLink();
        this.#separate(name);
        this.#visibility.end(name);
    }

    /** Ends the line at a block, and the word at a cell. */
    #separate(name: string): void {
        if (CELLS.has(name)) {
            this.#text.append(" ");
            this.#textOutsideLinks.append(" ");
            this.#link?.text.append(" ");
        } else if (!INLINE.has(name)) {
            this.#text.breakLine();
            this.#textOutsideLinks.breakLine();
            this.#link?.text.append(" ");
        }
    }

    #endLink(): void {
        const link = this.#link;
        this.#link = undefined;
        if (!link || (link.isHidden && !link.isSeen)) return;
        this.anchors.push({
            text: trimmed(link.text.value),
            href: link.href,
            start: link.start,
            end: this.text.length,
        });
    }

    /** A description stands for its image, and a value for its field, as a word of its own unless it is a character. */
    #appendShown(name: string, attributes: ReadonlyMap<string, string>, attribute: string): void {
        const isHidden = this.#visibility.isHiddenIn(name, attributes);
        if (this.#link) {
            if (isHidden) this.#link.isHidden = true;
            else this.#link.isSeen = true;
        }
        const shown = trimmed(attributes.get(attribute) ?? "");
        if (!isHidden && shown !== "") this.#appendVisible(shown.length === 1 ? shown : ` ${shown} `);
    }

    #append(text: string): void {
        const isBlank = trimmed(text) === "";
        if (this.#visibility.isHidden) {
            if (this.#link && !isBlank) this.#link.isHidden = true;
            return;
        }
        if (this.#link && !isBlank) this.#link.isSeen = true;
        this.#appendVisible(text);
    }

    #appendVisible(text: string): void {
        this.#text.append(text);
        (this.#link?.text ?? this.#textOutsideLinks).append(text);
    }
}

/** The index of the `>` that is not in quotes, or of the first one if the quotes do not match; -1 if there is none. */
function endOfTag(html: string, start: number): number {
    let quote = "";
    for (let i = start; i < html.length; i++) {
        const c = html[i]!;
        if (quote === "" && c === ">") return i;
        if (quote === "" && (c === '"' || c === "'")) quote = c;
        else if (c === quote) quote = "";
    }
    return html.indexOf(">", start);
}

/** The attributes of a tag, the first of each name, decoded. */
function attributesOf(tag: string): Map<string, string> {
    const attributes = new Map<string, string>();
    for (const [, found, double, single, none] of tag.matchAll(ATTRIBUTE)) {
        const name = found!.toLowerCase();
        if (!attributes.has(name)) attributes.set(name, decode(double ?? single ?? none ?? ""));
    }
    return attributes;
}

function decode(html: string): string {
    return html.replace(ENTITY, (entity: string, decimal?: string, hex?: string, name?: string) => {
        if (name === undefined) {
            const codePoint = decimal === undefined ? parseInt(hex!, 16) : parseInt(decimal, 10);
            return codePoint > 0 && codePoint <= 0x10ffff && (codePoint & 0x1ff800) !== 0xd800 ? String.fromCodePoint(codePoint) : "";
        }
        const [, letter, mark] = ACCENTED.exec(name) ?? [];
        return letter === undefined ? (ENTITIES.get(name) ?? entity) : (letter + MARKS[mark!]!).normalize("NFC");
    });
}
