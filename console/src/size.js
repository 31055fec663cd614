/*
 * Measures how high an e-mail is. The frame that shows it has no permission, so it cannot tell. This page has an origin of its own
 * (sandbox), no key, and a policy that loads nothing at all. It gets what frame.js has cleaned, and is never seen.
 */

/** The version of the e-mail that was sent last, and the one that is measured: 0 while its images are decoded. */
let sent = 0;
let measured = 0;

addEventListener("message", ({ source, data }) => {
    if (source !== parent) return;
    if (typeof data?.html === "string") {
        const parsed = new DOMParser().parseFromString(data.html, "text/html");
        document.querySelectorAll("style").forEach((style) => style.remove());
        document.head.append(...parsed.querySelectorAll("head > style"));
        document.body.replaceWith(parsed.body);
        const root = document.documentElement;
        for (const name of root.getAttributeNames()) root.removeAttribute(name);
        for (const { name, value } of parsed.documentElement.attributes) root.setAttribute(name, value);
        sent = data.version;
        measured = 0;
        for (const image of document.images) image.addEventListener("load", tell);
        // An image of the e-mail itself is decoded at once, and has no height before that.
        void Promise.allSettled(Array.from(document.images, (image) => image.decode())).then(() => {
            if (data.version !== sent) return;
            measured = sent;
            tell();
        });
    } else tell();
});
addEventListener("resize", tell);
parent.postMessage("ready", "*");

function tell() {
    if (measured === 0) return;
    const { scrollHeight, scrollWidth, clientWidth } = document.documentElement;
    // What is too wide gets a scroll bar, which takes some height.
    // A remote image without a height has one only where it is loaded. A pixel that counts readers needs none.
    const isOpen = Array.from(document.images).some(
        (image) => image.naturalWidth === 0 && image.clientHeight < 30 && !/^[12]$/.test(image.getAttribute("width") ?? ""),
    );
    parent.postMessage({ height: scrollHeight + (scrollWidth > clientWidth ? 20 : 1), isOpen, version: measured }, "*");
}
