import { trimmed } from "./words.js";

/** Elements without an end tag. */
const VOID = new Set("area base br col embed frame hr img input link meta param source track wbr".split(" "));
/** Elements that end where one of these begins. */
const ENDED_BY: Record<string, ReadonlySet<string>> = {
    li: new Set(["li"]),
    dt: new Set(["dt", "dd"]),
    dd: new Set(["dt", "dd"]),
    td: new Set(["td", "th", "tr", "tbody", "thead", "tfoot"]),
    th: new Set(["td", "th", "tr", "tbody", "thead", "tfoot"]),
    tr: new Set(["tr", "tbody", "thead", "tfoot"]),
    p: new Set(
        "address article blockquote center div dl fieldset form h1 h2 h3 h4 h5 h6 hr main nav ol p pre section table ul".split(
            " ",
        ),
    ),
};
/** Such elements do not end outside of these. */
const SCOPES = ["table", "ul", "ol", "dl", "td", "th"];
/** By start tag: the elements that it ends, and the scopes that it does not. */
const ENDS = new Map(
    Array.from(new Set(Object.values(ENDED_BY).flatMap((names) => Array.from(names))), (name) => {
        const ended = Object.keys(ENDED_BY).filter((open) => ENDED_BY[open]!.has(name));
        return [name, { ended, scopes: SCOPES.filter((open) => !ended.includes(open)) }];
    }),
);
/** E-mails nest less deeply. Deeper elements are read as if they were not there. */
const DEPTH_MAX = 500;
const DECLARATION = /([a-z-]{1,30}) ?: ?([^;]*)/g;
/** Sizes that no one reads. */
const TINY = /^(?:0*\.?0+(?:px|pt|em|rem|ex|%)?|0*\.[0-9]+(?:px|pt)?|0*1(?:\.[0-9]+)?(?:px|pt)?)$/;
const ZERO = /^-?0*\.?0+(?:px|pt|em|rem|ex|%|vh|vw)?$/;
const RELATIVE = /^[0-9.]+(?:em|%|ex)$|^(?:smaller|larger|inherit)$/;
const SIZE_OF_FONT = /(?:^| )([0-9.]+(?:px|pt|em|rem|%)?)(?: |\/|$)/;
const FAR_LEFT = /^-[0-9]{4,}(?:\.[0-9]+)?(?:px|pt|em)$/;
const COLOR = /#[0-9a-f]{3,8}|rgba?\([^)]*\)|white|black|transparent|inherit/;
const HEX = /^#(?:([0-9a-f])([0-9a-f])([0-9a-f])|([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2}))$/;
const RGB = /^rgba?\( ?([0-9]{1,3})[, ]+([0-9]{1,3})[, ]+([0-9]{1,3})(?:[,/ ]+([0-9.]+)%?)? ?\)$/;
const NAMES: Record<string, string> = { white: "255,255,255", black: "0,0,0", transparent: "transparent" };

/** How an element shows its text, if its own style says so. Children inherit it. */
interface Element {
    name: string;
    /** With everything in it. */
    removed: boolean;
    /** Unless an element in it says otherwise. */
    invisible: boolean;
    tiny: boolean;
    color: string;
    background: string;
}

const ROOT: Element = { name: "", removed: false, invisible: false, tiny: false, color: "", background: "" };

/** Follows the open elements of an HTML body, and says whether a person sees the text in them. */
export class Visibility {
    readonly #open: Element[] = [ROOT];
    /** The indexes of open elements, by name, so that a tag takes the same time at any depth. */
    readonly #places = new Map<string, number[]>();

    /** Whether text is hidden here. */
    get isHidden(): boolean {
        return hides(this.#open.at(-1)!);
    }

    /** Whether an element without children would be hidden here. */
    isHiddenIn(name: string, attributes: ReadonlyMap<string, string>): boolean {
        return hides(elementOf(name, attributes, this.#open.at(-1)!));
    }

    /** The start tag of an element. */
    start(name: string, attributes: ReadonlyMap<string, string>): void {
        this.#endBefore(name);
        if (VOID.has(name) || this.#open.length > DEPTH_MAX) return;
        const places = this.#places.get(name);
        if (places) places.push(this.#open.length);
        else this.#places.set(name, [this.#open.length]);
        this.#open.push(elementOf(name, attributes, this.#open.at(-1)!));
    }

    /** The end tag of an element, and of those in it that have none. */
    end(name: string): void {
        const last = this.#last([name]);
        if (last > 0) this.#endFrom(last);
    }

    /** Ends the elements that this start tag ends. */
    #endBefore(name: string): void {
        const ends = ENDS.get(name);
        if (!ends) return;
        const scope = this.#last(ends.scopes);
        for (let last = this.#last(ends.ended); last > scope; last = this.#last(ends.ended)) this.#endFrom(last);
    }

    /** The index of the innermost open element with one of these names; 0 if there is none. */
    #last(names: readonly string[]): number {
        let last = 0;
        for (const name of names) last = Math.max(last, this.#places.get(name)?.at(-1) ?? 0);
        return last;
    }

    /** Ends the open element at this index and all in it. */
    #endFrom(index: number): void {
        while (this.#open.length > index) this.#places.get(this.#open.pop()!.name)!.pop();
    }
}

function hides({ removed, invisible, tiny, color, background }: Element): boolean {
    return removed || invisible || tiny || color === "transparent" || (color !== "" && color === background);
}

function elementOf(name: string, attributes: ReadonlyMap<string, string>, parent: Element): Element {
    const style = declarationsOf(attributes.get("style") ?? "");
    const removed = parent.removed || attributes.has("hidden") || removes(name, style);
    const invisible = style.has("visibility")
        ? ["hidden", "collapse"].includes(style.get("visibility")!)
        : parent.invisible;
    const size = style.get("font-size") ?? SIZE_OF_FONT.exec(style.get("font") ?? "")?.[1];
    const tiny = size === undefined || (parent.tiny && RELATIVE.test(size)) ? parent.tiny : TINY.test(size);
    const color = colorOf(style.get("color") ?? attributes.get("color"), parent.color);
    const background = colorOf(
        style.get("background-color") ?? style.get("background") ?? attributes.get("bgcolor"),
        parent.background,
    );
    return {
        name,
        removed,
        invisible,
        tiny,
        color,
        background: background === "transparent" ? parent.background : background,
    };
}

/** Whether the style removes an element and all in it from the page. */
function removes(name: string, style: ReadonlyMap<string, string>): boolean {
    const is = (property: string, ...values: string[]): boolean => values.includes(style.get(property) ?? "");
    const isZero = (property: string): boolean => ZERO.test(style.get(property) ?? "");
    const isFar = (property: string): boolean => FAR_LEFT.test(style.get(property) ?? "");
    const clips = is("overflow", "hidden", "clip") || is("overflow-y", "hidden") || is("overflow-x", "hidden");
    return (
        is("display", "none") ||
        isZero("opacity") ||
        // Outlook alone hides it. It does so with a link where it shows a button of its own instead.
        (name !== "a" && is("mso-hide", "all")) ||
        (clips && ["max-height", "height", "max-width", "width"].some(isZero)) ||
        ["left", "top", "text-indent", "margin-left"].some(isFar)
    );
}

/** The declarations of a style attribute, in lower case, without comments and `!important`; of two the later one. */
function declarationsOf(style: string): Map<string, string> {
    const declarations = new Map<string, string>();
    const plain = style
        .toLowerCase()
        .replace(/\/\*[^*]*\*+\/|! ?important/g, "")
        .replace(/[ \t\r\n\f]+/g, " ");
    for (const [, property, value] of plain.matchAll(DECLARATION)) declarations.set(property!, trimmed(value!));
    return declarations;
}

/** A color in one notation; empty if it is not known, and the inherited one if none is given. */
function colorOf(text: string | undefined, inherited: string): string {
    if (text === undefined) return inherited;
    const lower = text.toLowerCase();
    const color = lower.includes("url(") || lower.includes("gradient") ? undefined : COLOR.exec(lower)?.[0];
    if (color === undefined) return "";
    if (color === "inherit") return inherited;
    const hex = HEX.exec(color)
        ?.slice(1)
        .filter((digits) => digits !== undefined);
    if (hex) return hex.map((digits) => parseInt(digits.length === 1 ? digits + digits : digits, 16)).join(",");
    const rgb = RGB.exec(color);
    if (rgb) return ZERO.test(rgb[4] ?? "1") ? "transparent" : `${+rgb[1]!},${+rgb[2]!},${+rgb[3]!}`;
    return NAMES[color] ?? "";
}
