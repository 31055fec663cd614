/*
 * Shows the HTML of an e-mail. This page has an origin of its own (sandbox), and no key. The e-mail is in a frame inside of it that has
 * no permission at all: no scripts, no forms, no navigation of other frames, no windows.
 *
 * What protects is that sandbox and the Content-Security-Policy. The lists of elements and attributes serve the reader: links must not
 * navigate the frame, and what no policy covers (link rel=preconnect, meta) is left out.
 */
"use strict";

/** Left out with what is in them: it is no text, or would be parsed in another way the next time. */
const DROPPED = new Set(
    (
        "applet base datalist embed fencedframe frame frameset head iframe input link math meta noembed noframes param plaintext portal script " +
        "select source svg template textarea title track xmp"
    ).split(" "),
);
/** The content of these elements takes their place. No e-mail plays, embeds or runs anything here. */
const REPLACED = new Set("audio canvas marquee noscript object picture video".split(" "));
const ATTRIBUTES = new Set(
    (
        "abbr align alt background bgcolor border cellpadding cellspacing cite class clear color cols colspan compact dir face height hspace id " +
        "lang link noshade nowrap open reversed role rowspan rules scope size span src start style summary text title type valign value vspace width"
    ).split(" "),
);
/** Parsers take quadratic time for what is deep or never closed. */
const TAGS_MAX = 100_000;
const OPEN_MAX = 2_000;
const NODES_MAX = 200_000;
const ATTRIBUTES_MAX = 100;
/** Elements without an end, or which the next one closes. */
const CLOSED = new Set(
    "area br col dd dt embed hr img input li link meta option p param source tbody td tfoot th thead tr wbr".split(" "),
);
const LINKS_MAX = 500;
/** Longer HTML, without its images, is not laid out a second time to measure it: its frame has a fixed height. */
const MEASURED_MAX = 500_000;
/** The most characters of all inlined images of an e-mail. It may name one image a thousand times. */
const INLINED_CHARACTERS_MAX = 32 * 1024 * 1024;
const REMOTE = /(?:https?:)?\/\/[^/\s]/gi;
/** A URL as the value of a style. */
const STYLE_URL = /url\(\s*(?:"([^"]{1,2000})"|'([^']{1,2000})'|([^"'()\s]{1,2000}))\s*\)/gi;
const URL_CHARACTERS_MAX = 2000;
/** The base of relative URLs if the e-mail names none (RFC 2557 §5). */
const NO_BASE = "thismessage:/";
/** A data: URL, in which slashes name no host. */
const DATA = /"\s*data:[^"]*|'\s*data:[^']*|\(\s*data:[^)]*|^\s*data:[^]*/gi;

/** What an e-mail may not do until the reader allows it: it keeps a processor busy. */
const STILL =
    "*,::before,::after{animation:none!important;transition:none!important;filter:none!important;backdrop-filter:none!important}";
const MOVING = /^(?:-webkit-)?(?:animation|transition|filter|backdrop-filter)/;
/** An SVG can be animated and filtered as well. A URL may have tabs and line breaks anywhere. */
const SVG = new RegExp(Array.from("data:image/svg").join("\\s*"), "gi");
/** How an e-mail names its own dark colours. Another may set a light background without a colour for its text: in dark, it is inverted. */
const OWN_DARK = /color-scheme/i;
const AS_SENT = "{filter:invert(1) hue-rotate(180deg)!important}";
/** What a style has if it is to be changed. */
const CHANGED = /scheme|animat|transit|filter|\\/i;

/**
 * The console's own rules. Their layer is the first: rules of the e-mail win over plain ones, and lose to important ones.
 *
 * @param link the colour that the body names for links, or ""
 */
function styleOf({ dark, inverted, moving, remote }, link) {
    const [scheme, ink, accent, mark, markInk] = dark
        ? ["dark", "#eceae5", "#8ab4f8", "#1f3350", "#a8c7fa"]
        : ["light", "#1c1b19", "#0b57d0", "#e6eefc", "#0b4fc0"];
    // An image that is not loaded is only its text.
    const shown = remote ? "img" : "img[src^='data:' i]";
    return (
        `@layer oneshot{:root{color-scheme:only ${scheme}!important;color:${ink};font:15px/1.5 system-ui,sans-serif}` +
        "body{margin:0;padding:16px;overflow-wrap:break-word}img{max-width:100%}pre{white-space:pre-wrap}" +
        `a{color:${link || accent};text-decoration:underline}${moving ? "" : STILL}${inverted ? shown + AS_SENT : ""}}` +
        `sup.oneshot-link{all:initial;display:inline-block;font:600 11px/1 system-ui,sans-serif;color:${markInk};background:${mark};border-radius:4px;padding:1px 4px;vertical-align:super;margin-left:3px}`
    );
}

addEventListener("message", ({ source, data }) => {
    if (source !== parent) return;
    // The page asks whether this frame still responds.
    if (data === "ping") parent.postMessage("pong", "*");
    if (typeof data?.html !== "string") return;
    const isOwn = OWN_DARK.test(data.html);
    const wishes = {
        dark: data.dark === true && isOwn,
        inverted: data.dark === true && !isOwn,
        moving: data.moving === true,
        remote: data.remote === true,
        numbers: data.numbers !== false,
    };
    const { root, html, inlinedCharacters, ...found } = read(data, wishes);
    const images = wishes.remote ? "data: https: http:" : "data:";
    const policy = `default-src 'none'; img-src ${images}; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'`;
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "");
    frame.setAttribute("referrerpolicy", "no-referrer");
    frame.title = "The e-mail";
    frame.srcdoc =
        `<!doctype html>${root}<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">` +
        `<meta name="referrer" content="no-referrer"><meta http-equiv="x-dns-prefetch-control" content="off">${html}`;
    frame.classList.toggle("inverted", wishes.inverted);
    document.documentElement.classList.toggle("dark", wishes.dark);
    document.body.replaceChildren(frame);
    const page = `<!doctype html>${root}<head>${html}`;
    const { version } = data;
    parent.postMessage({ ...found, version, html: page.length - inlinedCharacters <= MEASURED_MAX ? page : "" }, "*");
});
parent.postMessage("ready", "*");

/** Reads the HTML into a document that neither runs nor requests anything, and writes what is known to be harmless. */
function read({ html, images, location }, wishes) {
    const readable = beginning(html);
    const parsed = new DOMParser().parseFromString(readable, "text/html");
    const inline = new InlineImages(images ?? [], location ?? "", parsed.querySelector("base[href]"));
    const found = { links: new Map(), remote: 0, moving: false, inlinedCharacters: 0, inline, wishes };
    const styles = Array.from(parsed.querySelectorAll("head > style"));
    let body = parsed.body.localName === "body" ? parsed.body : parsed.createElement("body");
    if (body.attributes.length > ATTRIBUTES_MAX) body = withoutAttributes(body, "body");
    let root = parsed.documentElement.cloneNode(false);
    if (root.attributes.length > ATTRIBUTES_MAX) root = parsed.createElement("html");
    cleanAttributes(root, found);
    // Its style becomes a rule of the style sheet, which comes after the policy.
    const { cssText } = root.style;
    root.removeAttribute("style");
    const linkColor = /^#?[0-9a-z]{3,20}$/i.exec(body.getAttribute("link") ?? "")?.[0] ?? "";
    clean(body, found);
    if (readable.length < html.length) body.append(note());
    for (const style of styles) cleanStyle(style, found);
    const links = Array.from(found.links, ([href, { text }]) => ({ href, text: oneLine(text) || href }));
    const own = styleOf(wishes, linkColor) + withoutEnd(`html{${cssText}}`);
    const theirs = styles.map((style) => style.outerHTML).join("");
    return {
        root: root.outerHTML.slice(0, -"</html>".length),
        html: `<title>E-mail</title><style>${own}</style>${theirs}</head>${body.outerHTML}</html>`,
        links,
        remote: found.remote,
        moving: found.moving,
        inlinedCharacters: found.inlinedCharacters,
    };
}

/** Text is cut before it is matched: senders choose its length. */
function oneLine(text) {
    return text.slice(0, 2000).trim().replace(/\s+/g, " ").slice(0, 300);
}

/** Without recursion: e-mails are as deep as their sender wants. */
function clean(body, found) {
    cleanAttributes(body, found);
    let nodes = 0;
    let node = body.firstChild;
    while (node !== null) {
        let next = following(node, body, true);
        if (++nodes > NODES_MAX) {
            cutFrom(node, body);
            return;
        }
        if (node.nodeType === Node.ELEMENT_NODE) {
            const name = node.localName;
            if (DROPPED.has(name) || node.namespaceURI !== "http://www.w3.org/1999/xhtml") {
                next = following(node, body, false);
                node.remove();
            } else if (node.attributes.length > ATTRIBUTES_MAX || REPLACED.has(name)) {
                next = following(withoutAttributes(node, REPLACED.has(name) ? "span" : "div"), body, true);
            } else {
                if (name === "a") number(node, found);
                if (name === "style") {
                    // Its text is replaced: the walk would end in the one that is removed.
                    next = following(node, body, false);
                    cleanStyle(node, found);
                } else cleanAttributes(node, found);
            }
        } else if (node.nodeType !== Node.TEXT_NODE) {
            node.remove();
        }
        node = next;
    }
}

/** As much of the HTML as a parser reads in little time. */
function beginning(html) {
    let tags = 0;
    let open = 0;
    for (const { 1: slash, 2: name, index } of html.matchAll(/<(\/?)([a-z][a-z0-9]{0,20})/gi)) {
        if (++tags > TAGS_MAX * 2 || open > OPEN_MAX) return html.slice(0, index);
        if (CLOSED.has(name.toLowerCase())) continue;
        open = Math.max(0, open + (slash === "" ? 1 : -1));
    }
    return html;
}

function note() {
    const paragraph = document.createElement("p");
    paragraph.textContent =
        "… The rest of this e-mail is too large to be shown here. Read it as text, or download its source.";
    return paragraph;
}

/** Replaces a node and all after it. */
function cutFrom(node, root) {
    const end = note();
    node.replaceWith(end);
    for (let at = end; at !== root; at = at.parentNode) {
        while (at.nextSibling !== null) at.nextSibling.remove();
    }
}

/** Replaces an element. To remove very many attributes one by one takes quadratic time. */
function withoutAttributes(element, name) {
    const fresh = document.createElement(name);
    while (element.firstChild !== null) fresh.append(element.firstChild);
    element.replaceWith(fresh);
    return fresh;
}

/** The node after this one, in the order of the document. */
function following(node, root, intoChildren) {
    if (intoChildren && node.firstChild !== null) return node.firstChild;
    for (let at = node; at !== null && at !== root; at = at.parentNode) {
        if (at.nextSibling !== null) return at.nextSibling;
    }
    return null;
}

function cleanAttributes(element, found) {
    for (const { name, value } of Array.from(element.attributes)) {
        if (name === "style") {
            element.setAttribute(name, inlined(still(value, found), found));
            if (CHANGED.test(value)) {
                cleanDeclarations(element.style, found);
                element.setAttribute(name, inScheme(element.style.cssText, found));
            }
        } else if (name === "src" || name === "background") {
            element.setAttribute(name, within(found.inline.at(value), found) ?? inlined(still(value, found), found));
        } else if (name === "media" && element.localName === "style") {
            // As the browser reads it, without escapes and comments.
            element.setAttribute(name, inScheme(matchMedia(value).media, found));
        } else if (!ATTRIBUTES.has(name)) {
            element.removeAttribute(name);
        }
    }
}

function cleanStyle(style, found) {
    style.textContent = rewritten(inlined(still(style.textContent, found), found), found);
    cleanAttributes(style, found);
}

/**
 * Style rules for the scheme that the reader chose, which need not be that of the device. Links have no destination here, but keep the
 * colours of links.
 */
function rewritten(css, found) {
    if (!CHANGED.test(css) && !/link/i.test(css)) return css;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    const left = [sheet];
    for (let at = left.pop(); at !== undefined; at = left.pop()) {
        for (const rule of at.cssRules) {
            if (rule instanceof CSSStyleRule && /:(?:any-)?link/i.test(rule.selectorText))
                rule.selectorText = rule.selectorText.replace(/\ba:(?:any-)?link\b/gi, "a:not(.oneshot-none)");
            if (rule.style) cleanDeclarations(rule.style, found);
            if (rule.cssRules) left.push(rule);
        }
    }
    return withoutEnd(inScheme(Array.from(sheet.cssRules, ({ cssText }) => cssText).join("\n"), found));
}

/** A string in a style sheet may end the element. */
function withoutEnd(css) {
    return css.replaceAll("</", "<\\/");
}

/** Leaves out SVG until the reader allows what moves. If escapes hide one, leaves out the whole value. */
function still(value, found) {
    if (!hasSvg(value)) return value;
    found.moving = true;
    if (found.wishes.moving) return value;
    const without = value.replace(SVG, "data:,");
    return hasSvg(without) ? "" : without;
}

/** Whether a browser finds an SVG in a URL or style: it decodes escapes of CSS, and drops tabs and line breaks of URLs. */
function hasSvg(value) {
    if (!/s\s*v\s*g|\\/i.test(value)) return false;
    const read = value
        .replace(/\\(?:([0-9a-f]{1,6})|([^]))/gi, (_, code, character) =>
            code ? String.fromCodePoint(Math.min(parseInt(code, 16), 0x10ffff)) : character,
        )
        .replace(/[\0-\x20]+/g, "");
    return /data:image\/svg/i.test(read);
}

/** Leaves out what would choose another scheme, or move without leave. */
function cleanDeclarations(style, found) {
    if (style.getPropertyValue("color-scheme") !== "") style.removeProperty("color-scheme");
    for (const name of Array.from(style)) {
        if (!MOVING.test(name)) continue;
        found.moving = true;
        if (!found.wishes.moving) style.removeProperty(name);
    }
}

/** Media queries, of rules or in if(), as they are in the scheme that the reader chose. */
function inScheme(css, { wishes }) {
    const chosen = wishes.dark ? "dark" : "light";
    return css.replace(/\(\s*prefers-color-scheme\s*(?::([^)]{0,100}))?\)/gi, (_, scheme) =>
        scheme === undefined || scheme.trim().toLowerCase() === chosen ? "(min-width:0px)" : "(max-width:0px)",
    );
}

/** Replaces the URLs of inline images by the images, and counts remote ones. */
function inlined(value, found) {
    if (value.includes("//")) found.remote += remoteIn(value);
    const { inline } = found;
    if (inline.isEmpty || !/cid:|url\(/i.test(value)) return value;
    return value
        .replace(STYLE_URL, (whole, ...urls) => {
            const url = urls.slice(0, 3).find((each) => each !== undefined);
            const image = within(inline.at(url), found);
            if (image === undefined) return whole;
            found.remote -= remoteIn(url);
            return `url("${image}")`;
        })
        .replace(/cid:([^"'\s)>]+)/gi, (url, id) => within(inline.ofId(id), found) ?? url);
}

function remoteIn(value) {
    return value.replace(DATA, "").match(REMOTE)?.length ?? 0;
}

/** The image, if there is room for it; otherwise undefined. */
function within(image, found) {
    if (image === undefined || found.inlinedCharacters + image.length > INLINED_CHARACTERS_MAX) return undefined;
    found.inlinedCharacters += image.length;
    return image;
}

/** The images that are parts of the e-mail, as data: URLs, by what its HTML calls them. */
class InlineImages {
    #ids = new Map();
    #names = new Map();
    /** By Content-Location, as it stands and as an absolute URL. */
    #locations = new Map();
    #base;

    /**
     * @param images the first of two with the same name counts
     * @param location the Content-Location of the e-mail, or ""
     * @param base the element that names the base of the HTML, or null
     */
    constructor(images, location, base) {
        const outer = absolute(location, NO_BASE) ?? NO_BASE;
        this.#base = absolute(base?.getAttribute("href"), outer) ?? outer;
        const add = (urls, name, url) => name !== undefined && !urls.has(name) && urls.set(name, url);
        for (const { content_id, content_location, url } of images) {
            add(this.#ids, content_id, url);
            add(this.#locations, comparable(content_location), url);
            add(this.#locations, comparable(absolute(content_location, outer)), url);
        }
        for (const { filename, url } of images) {
            add(this.#ids, filename, url);
            add(this.#names, filename, url);
        }
    }

    get isEmpty() {
        return this.#names.size === 0;
    }

    /** The image with a Content-ID (RFC 2392). Some programs write its file name there. */
    ofId(id) {
        return this.#ids.get(decoded(id));
    }

    /**
     * The image with a Content-Location (RFC 2557). The API does not have that of the HTML part, so a relative URL also matches the end
     * of a location's path. If no location matches, a relative URL is a file name.
     */
    at(value) {
        if (this.isEmpty || value.length > URL_CHARACTERS_MAX) return undefined;
        const url = absolute(value, this.#base);
        const exact = this.#locations.get(comparable(value)) ?? this.#locations.get(comparable(url));
        if (exact !== undefined || /^\s*[a-z][a-z0-9+.-]*:/i.test(value)) return exact;
        const path = comparable(absolute(value, NO_BASE))?.slice(NO_BASE.length - 1) ?? "";
        for (const [location, image] of this.#locations) if (path.length > 1 && location.endsWith(path)) return image;
        return this.#names.get(decoded(value.trim()));
    }
}

/** The absolute URL without its fragment; undefined if the value is not a URL. */
function absolute(value, base) {
    if (!value || !URL.canParse(value, base)) return undefined;
    const url = new URL(value, base);
    url.hash = "";
    return url.href;
}

/** A URL in the form for comparisons: a sender may escape characters or add blanks in one of two places only. */
function comparable(url) {
    return url === undefined ? undefined : decoded(url).replace(/\s+/g, "");
}

function decoded(id) {
    try {
        return decodeURIComponent(id);
    } catch {
        return id;
    }
}

/** Takes the destination out of a link, and writes its number behind it. The page around lists them. */
function number(link, found) {
    const href = (link.getAttribute("href") ?? "").trim();
    link.removeAttribute("href");
    if (!/^(?:https?|mailto|tel):/i.test(href)) return;
    let known = found.links.get(href);
    if (known === undefined) {
        if (found.links.size === LINKS_MAX) return;
        known = { number: found.links.size + 1, text: link.textContent };
        found.links.set(href, known);
    }
    link.title = href.slice(0, 500).replace(/[\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
    if (!found.wishes.numbers) return;
    const mark = document.createElement("sup");
    mark.className = "oneshot-link";
    mark.textContent = String(known.number);
    link.append(mark);
}
