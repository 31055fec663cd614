const SKIPPED = new Set(["style", "script", "title", "template"]);
const CELLS = new Set(["td", "th"]);
const INLINE = new Set("a abbr b code em font i img kbd mark s small span strong sub sup tt u wbr".split(" "));
const TAG = /<\/?([a-zA-Z][a-zA-Z0-9]{0,20})|<[!?]/y;
const ATTRIBUTE = /([a-zA-Z-]{1,30})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;
const ENTITY = /&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g;
const ACCENTED = /^([a-zA-Z])(acute|grave|circ|uml|tilde|cedil|ring)$/;
const MARKS = {
    acute: "\u0301",
    grave: "\u0300",
    circ: "\u0302",
    uml: "\u0308",
    tilde: "\u0303",
    cedil: "\u0327",
    ring: "\u030a",
};
const ENTITIES = new Map(Object.entries({
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
}));
class Text {
    value = "";
    last = "\n";
    append(more) {
        const collapsed = more.replace(/[ \t\r\n\f\u00a0]+/g, " ");
        const added = /[ \n]/.test(this.last) && collapsed.startsWith(" ") ? collapsed.slice(1) : collapsed;
        this.value += added;
        this.last = added.at(-1) ?? this.last;
    }
    breakLine() {
        if (this.last !== "\n")
            this.value += this.last = "\n";
    }
}
export class HtmlText {
    links = [];
    #text = new Text();
    #textOutsideLinks = new Text();
    #link;
    constructor(html) {
        for (let at = 0; at < html.length;) {
            const tag = html.indexOf("<", at);
            const end = tag < 0 ? html.length : tag;
            this.#append(html.slice(at, end));
            at = tag < 0 ? end : this.#afterTag(html, tag);
        }
        this.#endLink();
    }
    get text() {
        return this.#text.value;
    }
    get textOutsideLinks() {
        return this.#textOutsideLinks.value;
    }
    #afterTag(html, start) {
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
        if (end < 0)
            return html.length;
        const name = tag[1]?.toLowerCase() ?? "";
        const opens = html[start + 1] !== "/";
        if (opens && SKIPPED.has(name)) {
            const close = new RegExp(`</${name}`, "gi");
            close.lastIndex = end;
            return close.exec(html)?.index ?? html.length;
        }
        if (name === "a") {
            this.#endLink();
            if (opens)
                this.#link = { href: attribute(html.slice(start, end), "href"), text: new Text() };
        }
        else if (name === "img" && this.#link) {
            this.#append(attribute(html.slice(start, end), "alt"));
        }
        else if (CELLS.has(name)) {
            this.#append(" ");
        }
        else if (name !== "" && !INLINE.has(name)) {
            this.#text.breakLine();
            this.#textOutsideLinks.breakLine();
            this.#link?.text.append(" ");
        }
        return end + 1;
    }
    #endLink() {
        if (this.#link)
            this.links.push({ text: this.#link.text.value.trim(), href: decode(this.#link.href) });
        this.#link = undefined;
    }
    #append(html) {
        const more = decode(html);
        this.#text.append(more);
        (this.#link?.text ?? this.#textOutsideLinks).append(more);
    }
}
function endOfTag(html, start) {
    let quote = "";
    for (let i = start; i < html.length; i++) {
        const c = html[i];
        if (quote === "" && c === ">")
            return i;
        if (quote === "" && (c === '"' || c === "'"))
            quote = c;
        else if (c === quote)
            quote = "";
    }
    return html.indexOf(">", start);
}
function attribute(tag, name) {
    for (const [, found, ...values] of tag.matchAll(ATTRIBUTE)) {
        if (found.toLowerCase() === name)
            return values.find((value) => value !== undefined).trim();
    }
    return "";
}
function decode(html) {
    return html.replace(ENTITY, (entity, decimal, hex, name) => {
        if (name === undefined) {
            const codePoint = decimal === undefined ? parseInt(hex, 16) : parseInt(decimal, 10);
            return codePoint > 0 && codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : "";
        }
        const [, letter, mark] = ACCENTED.exec(name) ?? [];
        return letter === undefined ? (ENTITIES.get(name) ?? entity) : (letter + MARKS[mark]).normalize("NFC");
    });
}
