/*
 * Measures how high an e-mail is. The frame that shows it has no permission, so it cannot tell. This page has an origin of its own
 * (sandbox), no key, and a policy that loads nothing at all. It gets what frame.js has cleaned, and is never seen.
 */

addEventListener("message", ({ source, data }) => {
    if (source !== parent) return;
    if (typeof data?.html === "string") {
        const parsed = new DOMParser().parseFromString(data.html, "text/html");
        document.querySelectorAll("style").forEach((style) => style.remove());
        document.head.append(...parsed.querySelectorAll("head > style"));
        document.body.replaceWith(parsed.body);
        document.querySelectorAll("img").forEach((image) => image.addEventListener("load", tell));
    }
    tell();
});
addEventListener("resize", tell);
parent.postMessage("ready", "*");

function tell() {
    const { scrollHeight, scrollWidth, clientWidth } = document.documentElement;
    // What is too wide gets a scroll bar, which takes some height.
    parent.postMessage({ height: scrollHeight + (scrollWidth > clientWidth ? 20 : 1) }, "*");
}
