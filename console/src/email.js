import { Email } from "./client/index.js";
import { bytes, copyButton, count, fill, h, icon, notify, openDialog, time } from "./dom.js";
import { messageOf, problem, Session } from "./session.js";

/**
 * @typedef {import("./client/index.js").Address} Address
 * @typedef {import("./client/index.js").Attachment} Attachment
 * @typedef {{ text: string, href: string }} Link
 */

/** How much of a text is in the page at first, and how much each click adds: a browser lays out more only slowly. */
const TEXT_STEP = 200_000;
const HEADER_FIELDS_MAX = 500;
const HEADER_CHARACTERS_MAX = 5_000;
const LINKS_MAX = 500;
const PREVIEWS_MAX = 20;
const PREVIEW_BYTES_MAX = 4 * 1024 * 1024;
/** What a browser decodes without running or requesting anything. SVG is not among them. */
export const IMAGES = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp"];

/** A received e-mail. All of it is data of a stranger: it is set as text, or shown in a frame that may do nothing. */
export class EmailView {
    #closed = new AbortController();
    /** @type {string[]} */
    #urls = [];
    #head = h("div");
    #tabs = h("div", { role: "tablist", "aria-label": "Parts of the e-mail", class: "tabs" });
    #panel = h("div", { role: "tabpanel", class: "panel", id: "panel", tabindex: "0" });
    /** @type {Map<string, { tab: HTMLButtonElement, show: () => Node }>} */
    #parts = new Map();
    #shown = "";

    /**
     * @param {Session} session
     * @param {Address} address
     */
    constructor(session, address) {
        this.session = session;
        this.address = address;
        this.element = h("div", { class: "email" }, this.#head, this.#tabs, this.#panel);
        this.#tabs.addEventListener("keydown", (event) => this.#onKey(event));
        fill(this.#panel, h("p", { class: "hint" }, "Loading …"));
        void this.#read();
    }

    close() {
        this.#closed.abort();
        this.#urls.forEach((url) => URL.revokeObjectURL(url));
        fill(this.element);
    }

    get #isClosed() {
        return this.#closed.signal.aborted;
    }

    async #read() {
        try {
            const email = await this.session.client.getEmail(this.address.id, { signal: this.#closed.signal });
            if (this.#isClosed) return;
            this.#show(email);
        } catch (error) {
            if (this.#isClosed) return;
            fill(
                this.#panel,
                problem(error),
                h("button", { type: "button", onclick: () => void this.#read() }, "Try again"),
            );
        }
    }

    /** @param {Email} email */
    #show(email) {
        const links = email.links().slice(0, LINKS_MAX);
        fill(
            this.#head,
            h(
                "dl",
                { class: "facts" },
                fact("From", h("span", { class: "mono" }, email.from || "(no sender)")),
                fact("To", h("span", { class: "mono" }, email.to), copyButton("address", this.address.address)),
                fact("Received", time(email.received_at), h("span", { class: "hint" }, ` ${bytes(email.size_bytes)}`)),
                verdicts(email),
            ),
            this.#found(email),
        );
        const { attachments } = email;
        const names = Object.keys(email.headers);
        if (email.html_body !== "") this.#add("HTML", () => this.#html(email));
        this.#add("Text", () => text(email.text_body, "This e-mail has no plain text."));
        this.#add(`Links (${links.length})`, () => linkList(links));
        this.#add(`Attachments (${attachments.length})`, () => this.#attachments(attachments));
        this.#add("Headers", () => headers(email.headers, names));
        this.#add("Source", () => this.#source());
        const first = email.html_body !== "" ? "HTML" : "Text";
        this.#select(first);
    }

    /** The code and the link that a sign-up sends. @param {Email} email */
    #found(email) {
        const codes = email.codes().slice(0, 3);
        const verification = email.verificationLink();
        if (codes.length === 0 && !verification) return null;
        return h(
            "div",
            { class: "found" },
            codes.map(({ value }) =>
                h(
                    "p",
                    { class: "code" },
                    h("span", { class: "found-name" }, "Code"),
                    h("strong", { class: "mono" }, value),
                    copyButton(`code ${value}`, value),
                ),
            ),
            verification
                ? h(
                      "p",
                      { class: "code" },
                      h("span", { class: "found-name" }, "Link"),
                      h(
                          "button",
                          { type: "button", class: "link", onclick: () => follow(verification) },
                          icon("link"),
                          h("span", null, hostOf(verification.href)),
                      ),
                      copyButton("link", verification.href),
                  )
                : null,
        );
    }

    /** @param {string} name @param {() => Node} show */
    #add(name, show) {
        const tab = h(
            "button",
            {
                type: "button",
                role: "tab",
                id: `tab-${this.#parts.size}`,
                "aria-controls": "panel",
                "aria-selected": "false",
                tabindex: "-1",
                onclick: () => this.#select(name),
            },
            name,
        );
        this.#parts.set(name, { tab, show });
        this.#tabs.append(tab);
    }

    /** @param {string} name */
    #select(name) {
        if (name === this.#shown) return;
        this.#shown = name;
        for (const [other, { tab, show }] of this.#parts) {
            const selected = other === name;
            tab.setAttribute("aria-selected", String(selected));
            tab.tabIndex = selected ? 0 : -1;
            if (selected) {
                this.#panel.setAttribute("aria-labelledby", tab.id);
                fill(this.#panel, show());
            }
        }
    }

    /** The arrow keys move between tabs (ARIA practices). @param {KeyboardEvent} event */
    #onKey(event) {
        const names = [...this.#parts.keys()];
        const at = names.indexOf(this.#shown);
        const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1 }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        const name = /** @type {string} */ (names[(to + names.length) % names.length]);
        this.#select(name);
        this.#parts.get(name)?.tab.focus();
    }

    /** @param {Email} email */
    #html(email) {
        const holder = h("div", { class: "html" });
        void import("./html.js").then(({ HtmlBody }) => {
            if (this.#isClosed) return;
            const body = new HtmlBody(this.session, this.address.id, email, follow, this.#closed.signal);
            fill(holder, body.element);
        });
        return holder;
    }

    /** @param {Attachment[]} attachments */
    #attachments(attachments) {
        if (attachments.length === 0) return h("p", { class: "hint" }, "This e-mail has no attachments.");
        let previews = 0;
        return h(
            "ul",
            { class: "attachments" },
            attachments.map((attachment, index) => {
                const { filename, content_type, size_bytes } = attachment;
                const button = h(
                    "button",
                    {
                        type: "button",
                        class: "small",
                        "aria-label": `Download ${filename}`,
                        onclick: () =>
                            void this.#download(button, filename, () =>
                                this.session.client.getAttachment(this.address.id, index, {
                                    signal: this.#closed.signal,
                                }),
                            ),
                    },
                    icon("down"),
                    h("span", null, "Download"),
                );
                const preview = h(
                    "div",
                    { class: "preview" },
                    icon(content_type.startsWith("image/") ? "image" : "clip"),
                );
                if (IMAGES.includes(content_type) && size_bytes <= PREVIEW_BYTES_MAX && previews++ < PREVIEWS_MAX)
                    void this.#preview(preview, attachment, index);
                return h(
                    "li",
                    null,
                    preview,
                    h(
                        "div",
                        { class: "file" },
                        h("p", { class: "filename" }, filename),
                        h("p", { class: "hint" }, `${content_type}, ${bytes(size_bytes)}`),
                    ),
                    button,
                );
            }),
        );
    }

    /** @param {HTMLElement} holder @param {Attachment} attachment @param {number} index */
    async #preview(holder, { content_type, filename }, index) {
        try {
            const stream = await this.session.client.getAttachment(this.address.id, index, {
                signal: this.#closed.signal,
            });
            const url = URL.createObjectURL(await Session.blob(stream, content_type));
            this.#urls.push(url);
            if (this.#isClosed) return URL.revokeObjectURL(url);
            const image = h("img", { src: url, alt: `Preview of ${filename}`, decoding: "async" });
            await image.decode();
            fill(holder, image);
        } catch {
            // No image, whatever its type says: the icon stays, and the file can be downloaded.
        }
    }

    /**
     * Saves what is downloaded as a file. Its type is no type that a browser opens.
     *
     * @param {HTMLButtonElement} button
     * @param {string} filename
     * @param {() => Promise<ReadableStream<Uint8Array>>} read
     */
    async #download(button, filename, read) {
        button.disabled = true;
        try {
            const url = URL.createObjectURL(await Session.blob(await read(), "application/octet-stream"));
            const link = h("a", { href: url, download: filename });
            document.body.append(link);
            link.click();
            link.remove();
            setTimeout(() => URL.revokeObjectURL(url), 60_000);
        } catch (error) {
            if (!this.#isClosed) notify(messageOf(error), { bad: true });
        } finally {
            button.disabled = false;
        }
    }

    #source() {
        const read = () => this.session.client.getRawEmail(this.address.id, { signal: this.#closed.signal });
        const button = h(
            "button",
            {
                type: "button",
                class: "small",
                onclick: () => void this.#download(button, `${this.address.id}.eml`, read),
            },
            icon("down"),
            h("span", null, "Download"),
        );
        const holder = h("div", null, h("p", { class: "hint" }, "Loading …"));
        void (async () => {
            try {
                fill(holder, await sourceText(await read(), this.address.email?.size_bytes ?? 0));
            } catch (error) {
                if (!this.#isClosed) fill(holder, problem(error));
            }
        })();
        return h("div", null, h("p", { class: "row-actions" }, button), holder);
    }
}

/** What the service found of the sender (RFC 8601), if it looked. @param {Email} email */
function verdicts(email) {
    const found = email.authentication();
    if (found === undefined) return null;
    const badges = /** @type {const} */ (["spf", "dkim", "dmarc"]).map((method) => {
        const result = found[method];
        const reason = found.results.find((each) => each.method === method && each.result === result)?.reason;
        const kind = result === "pass" ? "received" : result === "fail" ? "failed" : "";
        return [
            h("span", { class: `badge ${kind}` }, `${method.toUpperCase()} ${result}`),
            h("span", { class: "hint" }, reason ? ` ${reason} ` : " "),
        ];
    });
    return fact("Sender", ...badges.flat());
}

/** @param {string} name @param {...Node} value */
function fact(name, ...value) {
    return h("div", null, h("dt", null, name), h("dd", null, value));
}

/** A text that may be long. @param {string} value @param {string} empty */
function text(value, empty) {
    if (value === "") return h("p", { class: "hint" }, empty);
    const pre = h("pre", { class: "text" });
    const holder = h("div", null, pre);
    let shown = 0;
    const more = () => {
        pre.append(value.slice(shown, (shown += TEXT_STEP)));
        if (shown < value.length)
            fill(
                holder,
                pre,
                h(
                    "button",
                    { type: "button", onclick: more },
                    `Show more (${count(value.length - shown)} characters are left)`,
                ),
            );
        else fill(holder, pre);
    };
    more();
    return holder;
}

/** The beginning of the source. @param {ReadableStream<Uint8Array>} stream @param {number} size */
async function sourceText(stream, size) {
    const reader = stream.getReader();
    const decoder = new TextDecoder();
    let read = "";
    while (read.length < TEXT_STEP) {
        const { done, value } = await reader.read();
        if (done) break;
        read += decoder.decode(value, { stream: true });
    }
    void reader.cancel();
    const shown = read.slice(0, TEXT_STEP);
    return h(
        "div",
        null,
        h("pre", { class: "text" }, shown),
        read.length > TEXT_STEP || size > read.length
            ? h(
                  "p",
                  { class: "hint" },
                  `This is the beginning of ${bytes(size)}. Download the source to see all of it.`,
              )
            : null,
    );
}

/** @param {Record<string, string>} fields @param {string[]} names */
function headers(fields, names) {
    return h(
        "table",
        { class: "headers" },
        h("caption", { class: "unseen" }, "Header fields"),
        h(
            "tbody",
            null,
            names
                .slice(0, HEADER_FIELDS_MAX)
                .map((name) => h("tr", null, h("th", { scope: "row" }, name), h("td", null, cut(fields[name] ?? "")))),
        ),
        names.length > HEADER_FIELDS_MAX
            ? h("tfoot", null, h("tr", null, h("td", { colspan: "2" }, "The source has the rest.")))
            : null,
    );
}

/** @param {string} value */
function cut(value) {
    return value.length <= HEADER_CHARACTERS_MAX ? value : `${value.slice(0, HEADER_CHARACTERS_MAX)} …`;
}

/** Links with where they lead. @param {Link[]} links */
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
                    h("span", null, link.text.slice(0, 200) || "(no text)"),
                ),
                h("p", { class: "mono hint" }, cut(link.href)),
            ),
        ),
    );
}

/** @param {string} href */
function hostOf(href) {
    try {
        return new URL(href).host;
    } catch {
        return href.slice(0, 60);
    }
}

/**
 * Shows where a link leads. Only a click there opens it, in a new tab that does not know where it comes from.
 *
 * @param {Link} link
 */
export function follow({ text, href }) {
    const url = URL.canParse(href) ? new URL(href) : undefined;
    const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
    const claimed = /([a-z0-9-]+\.)+[a-z]{2,}/i.exec(text)?.[0].toLowerCase();
    const leadsElsewhere = isWeb && claimed !== undefined && !isWithin(url.hostname, claimed);
    openDialog("Where this link leads", (dialog) => [
        isWeb
            ? h(
                  "p",
                  { class: "target mono" },
                  `${url.protocol}//`,
                  url.username || url.password ? `${url.username}${url.password ? ":…" : ""}@` : null,
                  h("strong", null, url.host),
                  cut(url.pathname + url.search + url.hash),
              )
            : h("p", { class: "target mono" }, cut(href)),
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

/** Whether one of two host names is the other or below it, without regard to www. @param {string} host @param {string} claimed */
function isWithin(host, claimed) {
    const a = host.replace(/^www\./, "");
    const b = claimed.replace(/^www\./, "");
    return a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`);
}
