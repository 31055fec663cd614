import type { Link } from "./links.js";

const SKIPPED = new Set(["style", "script", "title", "template"]);
const CELLS = new Set(["td", "th"]);
const INLINE = new Set("a abbr b code em font i img kbd mark s small span strong sub sup tt u wbr".split(" "));
const TAG = /<\/?([a-zA-Z][a-zA-Z0-9]{0,20})|<[!?]/y;
const ATTRIBUTE = /([a-zA-Z-]{1,30})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;
const ENTITY = /&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g;
/** As in `&eacute;`: a letter and its combining mark. */
const ACCENTED = /^([a-zA-Z])(acute|grave|circ|uml|tilde|cedil|ring)$/;
const MARKS: Record<string, string> = {
    acute: "\u0301",
    grave: "\u0300",
    circ: "\u0302",
    uml: "\u0308",
    tilde: "\u0303",
    cedil: "\u0327",
    ring: "\u030a",
};
const ENTITIES = new Map(
    Object.entries({
        amp: "&",
        lt: "<",
        gt: ">",
        quot: '"',
        apos: "'",
        nbsp: " ",
        copy: "©",
        szlig: "ß",
        euro: "€",
        pound: "£",
        yen: "¥",
        ndash: "–",
        mdash: "—",
        hellip: "…",
        bull: "•",
        zwnj: "",
        shy: "",
    }),
);

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
    /** Links as they stand, of any scheme, with duplicates. */
    readonly links: Link[] = [];
    readonly #text = new Text();
    readonly #textOutsideLinks = new Text();
    #link: { href: string; text: Text } | undefined;

    constructor(html: string) {
        for (let at = 0; at < html.length;) {
            const tag = html.indexOf("<", at);
            const end = tag < 0 ? html.length : tag;
            this.#append(html.slice(at, end));
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
        if (name === "a") {
            this.#endLink();
            if (opens) this.#link = { href: attribute(html.slice(start, end), "href"), text: new Text() };
        } else if (name === "img" && this.#link) {
            this.#append(attribute(html.slice(start, end), "alt"));
        } else if (CELLS.has(name)) {
            this.#append(" ");
        } else if (name !== "" && !INLINE.has(name)) {
            this.#text.breakLine();
            this.#textOutsideLinks.breakLine();
            this.#link?.text.append(" ");
        }
        return end + 1;
    }

    #endLink(): void {
        if (this.#link) this.links.push({ text: this.#link.text.value.trim(), href: decode(this.#link.href) });
        this.#link = undefined;
    }

    #append(html: string): void {
        const more = decode(html);
        this.#text.append(more);
        (this.#link?.text ?? this.#textOutsideLinks).append(more);
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

function attribute(tag: string, name: string): string {
    for (const [, found, ...values] of tag.matchAll(ATTRIBUTE)) {
        if (found!.toLowerCase() === name) return values.find((value) => value !== undefined)!.trim();
    }
    return "";
}

function decode(html: string): string {
    return html.replace(ENTITY, (entity: string, decimal?: string, hex?: string, name?: string) => {
        if (name === undefined) {
            const codePoint = decimal === undefined ? parseInt(hex!, 16) : parseInt(decimal, 10);
            return codePoint > 0 && codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : "";
        }
        const [, letter, mark] = ACCENTED.exec(name) ?? [];
        return letter === undefined ? (ENTITIES.get(name) ?? entity) : (letter + MARKS[mark!]!).normalize("NFC");
    });
}
