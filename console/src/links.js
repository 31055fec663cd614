import { copyButton, h, icon, openDialog, plain } from "./dom.js";

/** @typedef {{ text: string, href: string }} Link */

const CHARACTERS_MAX = 5_000;

/** Links with their targets. @param {Link[]} links */
export function linkList(links) {
    if (links.length === 0) return h("p", { class: "hint" }, "This e-mail has no links.");
    return h(
        "ol",
        { class: "links" },
        links.map((link) =>
            h(
                "li",
                null,
                h(
                    "button",
                    { type: "button", class: "link", onclick: () => follow(link) },
                    icon("link"),
                    h("span", null, plain(link.text, 200) || "(no text)"),
                ),
                h("p", { class: "mono hint" }, plain(link.href, CHARACTERS_MAX)),
            ),
        ),
    );
}

/** @param {string} href */
export function hostOf(href) {
    try {
        return new URL(href).host;
    } catch {
        return href.slice(0, 60);
    }
}

/**
 * Shows the target of a link. Only a click there opens it, in a new tab without referrer and opener.
 *
 * @param {Link} link
 */
export function follow({ text, href }) {
    const url = URL.canParse(href) ? new URL(href) : undefined;
    const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
    // Cut before the match, as the sender chooses the length.
    const claimed = /(?:[a-z0-9-]{1,63}\.){1,10}[a-z]{2,63}/i.exec(text.slice(0, 300))?.[0].toLowerCase();
    const leadsElsewhere = isWeb && claimed !== undefined && !isWithin(url.hostname, claimed);
    openDialog("Where this link leads", (dialog) => [
        isWeb
            ? h(
                  "p",
                  { class: "target mono" },
                  `${url.protocol}//`,
                  url.username || url.password ? `${url.username}${url.password ? ":…" : ""}@` : null,
                  h("strong", null, url.host),
                  plain(url.pathname + url.search + url.hash, CHARACTERS_MAX),
              )
            : h("p", { class: "target mono" }, plain(href, CHARACTERS_MAX)),
        leadsElsewhere
            ? h(
                  "p",
                  { class: "problem" },
                  "Its text names ",
                  h("strong", null, claimed),
                  ", but it leads to ",
                  h("strong", null, url.host),
                  ".",
              )
            : null,
        isWeb
            ? h("p", { class: "hint" }, "The e-mail comes from a stranger. Open the link only if you know the site.")
            : h("p", { class: "hint" }, "The console opens only links to web pages."),
        h(
            "div",
            { class: "actions" },
            h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
            copyButton("link", href),
            isWeb
                ? h(
                      "a",
                      {
                          href: url.href,
                          target: "_blank",
                          rel: "noopener noreferrer",
                          class: "button primary",
                          onclick: () => dialog.close(),
                      },
                      icon("out"),
                      "Open in a new tab",
                  )
                : null,
        ),
    ]);
}

/** Whether two host names are equal, or one is below the other; www is ignored. @param {string} host @param {string} claimed */
function isWithin(host, claimed) {
    const a = host.replace(/^www\./, "");
    const b = claimed.replace(/^www\./, "");
    return a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`);
}
