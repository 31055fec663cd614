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
        "applet audio base canvas datalist embed fencedframe frame frameset head iframe input link math meta noembed noframes noscript object " +
        "param picture plaintext portal script select source svg template textarea title track video xmp"
    ).split(" "),
);
const ATTRIBUTES = new Set(
    (
        "abbr align alt background bgcolor border cellpadding cellspacing cite class clear color cols colspan compact dir face height hspace id " +
        "lang noshade nowrap open reversed role rowspan rules scope size span src start style summary title type valign value vspace width"
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
const REMOTE = /(?:https?:)?\/\//i;

const STYLE =
    "html{color-scheme:light;background:#fff;color:#1c1b19;font:15px/1.5 system-ui,sans-serif}" +
    "body{margin:0;padding:16px;overflow-wrap:break-word}" +
    "img{max-width:100%}pre{white-space:pre-wrap}" +
    "a{color:#0b57d0;text-decoration:underline}" +
    "sup.oneshot-link{all:initial;font:600 11px/1 system-ui,sans-serif;color:#0b4fc0;background:#e6eefc;border-radius:4px;padding:1px 4px;vertical-align:super;margin-left:3px}";

addEventListener("message", ({ source, data }) => {
    if (source !== parent || typeof data?.html !== "string") return;
    const { body, styles, links, remote } = read(data.html, data.images ?? {});
    const images = data.remote === true ? "data: https: http:" : "data:";
    const policy = `default-src 'none'; img-src ${images}; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'`;
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "");
    frame.setAttribute("referrerpolicy", "no-referrer");
    frame.title = "The e-mail";
    frame.srcdoc =
        `<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">` +
        '<meta name="referrer" content="no-referrer"><meta http-equiv="x-dns-prefetch-control" content="off">' +
        `<title>E-mail</title><style>${STYLE}</style>${styles}</head>${body}</html>`;
    document.body.replaceChildren(frame);
    parent.postMessage({ links, remote }, "*");
});
parent.postMessage("ready", "*");

/** Reads the HTML into a document that neither runs nor requests anything, and writes what is known to be harmless. */
function read(html, images) {
    const readable = beginning(html);
    const parsed = new DOMParser().parseFromString(readable, "text/html");
    const found = { links: new Map(), remote: 0, images };
    const styles = Array.from(parsed.querySelectorAll("head > style"));
    let body = parsed.body.localName === "body" ? parsed.body : parsed.createElement("body");
    if (body.attributes.length > ATTRIBUTES_MAX) body = withoutAttributes(body, "body");
    clean(body, found);
    if (readable.length < html.length) body.append(note());
    for (const style of styles) cleanStyle(style, found);
    const links = Array.from(found.links, ([href, { text }]) => ({
        href,
        text: text.trim().replace(/\s+/g, " ").slice(0, 300) || href,
    }));
    return {
        body: body.outerHTML,
        styles: styles.map((style) => style.outerHTML).join(""),
        links,
        remote: found.remote,
    };
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
            } else if (node.attributes.length > ATTRIBUTES_MAX) {
                withoutAttributes(node, "div");
            } else {
                if (name === "a") number(node, found);
                if (name === "style") cleanStyle(node, found);
                cleanAttributes(node, found);
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
    const note = document.createElement("p");
    note.textContent =
        "… The rest of this e-mail is too large to be shown here. Read it as text, or download its source.";
    node.replaceWith(note);
    for (let at = note; at !== root; at = at.parentNode) {
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
        if (name === "style" || name === "src" || name === "background") {
            element.setAttribute(name, inlined(value, found));
        } else if (!ATTRIBUTES.has(name)) {
            element.removeAttribute(name);
        }
    }
}

function cleanStyle(style, found) {
    style.textContent = inlined(style.textContent, found);
    cleanAttributes(style, found);
}

/** Replaces cid: URLs by the images, and counts remote ones. */
function inlined(value, found) {
    if (REMOTE.test(value)) found.remote += value.match(/(?:https?:)?\/\/[^/\s]/gi)?.length ?? 0;
    if (!/cid:/i.test(value)) return value;
    return value.replace(/cid:([^"'\s)>]+)/gi, (url, id) => found.images[decoded(id)] ?? url);
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
    link.title = href.slice(0, 500);
    const mark = document.createElement("sup");
    mark.className = "oneshot-link";
    mark.textContent = String(known.number);
    link.append(mark);
}
