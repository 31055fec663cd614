import { HtmlText } from "./client/html.js";
import { Email } from "./client/email.js";
import { ask, breakable, bytes, copyButton, count, fill, h, icon, notify, once, openDialog, plain, time } from "./dom.js";
import { HtmlBody } from "./html.js";
import { messageOf, problem, Session } from "./session.js";
import { zip } from "./zip.js";

/**
 * @typedef {import("./client/types.js").Address} Address
 * @typedef {import("./client/types.js").Attachment} Attachment
 * @typedef {{ text: string, href: string }} Link
 * @typedef {{ email: Email, links: Link[], codes: string[], verification: Link | undefined }} Found
 */

/** How much of a text is in the page at first, and how much each click adds: a browser lays out more only slowly. */
const TEXT_STEP = 200_000;
const HEADER_FIELDS_MAX = 500;
const HEADER_CHARACTERS_MAX = 5_000;
const LINKS_MAX = 500;
const CODES_MAX = 3;
const PREVIEWS_MAX = 20;
const ATTACHMENTS_STEP = 50;
const ARCHIVE_BYTES_MAX = 64 * 1024 * 1024;
const PDF_BYTES_MAX = 32 * 1024 * 1024;
const PREVIEW_BYTES_MAX = 4 * 1024 * 1024;

/** What a browser decodes without running or requesting anything, by its first bytes. SVG is not among it. */
const IMAGES = /** @type {[string, RegExp][]} */ ([
    ["image/png", /^\x89PNG\r\n\x1a\n/],
    ["image/jpeg", /^\xff\xd8\xff/],
    ["image/gif", /^GIF8[79]a/],
    ["image/webp", /^RIFF.{4}WEBP/s],
    ["image/avif", /^.{4}ftypavi[fs]/s],
    ["image/bmp", /^BM.{12}/s],
]);

/**
 * An image with the type that its content has, whatever its sender calls it.
 *
 * @param {Blob} content
 */
export async function imageOf(content) {
    const start = String.fromCharCode(...new Uint8Array(await content.slice(0, 16).arrayBuffer()));
    const [type] = IMAGES.find(([, first]) => first.test(start)) ?? [];
    return type === undefined ? undefined : content.slice(0, content.size, type);
}

/** A name as a file may have it: it does not read backwards, and is in no other folder. @param {string} filename */
function onDisk(filename) {
    return filename
        .replace(/[\p{Cc}\p{Cf}/\\:*?"<>|]/gu, "_")
        .replace(/^\.+$/, "_")
        .slice(-200);
}

/** Whether an attachment may be an image. @param {Attachment} attachment */
function mayBeImage({ content_type, filename }) {
    return (
        (content_type.startsWith("image/") && !content_type.startsWith("image/svg")) ||
        (content_type === "application/octet-stream" && /\.(?:png|jpe?g|gif|webp|avif|bmp)$/i.test(filename))
    );
}

/** What an operating system runs, or opens in a program that runs what is in it. */
const DANGEROUS =
    /\.(?:exe|com|scr|pif|msi|msp|msix|appx|bat|cmd|ps1|psm1|vb|vbs|vbe|js|jse|wsf|wsh|hta|jar|jnlp|cpl|msc|chm|reg|inf|lnk|url|scf|iso|img|vhdx?|dmg|pkg|app|apk|deb|rpm|run|sh|command|desktop|docm|dotm|xlsm|xltm|xlam|pptm|potm|ppam|xll|one)[.\s]*$/i;

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
    /** @type {AbortController | undefined} */
    #shownHtml;

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
            const content = await this.session.client.getEmail(this.address.id, { signal: this.#closed.signal });
            const found = await finds(new Email(content));
            if (this.#isClosed) return;
            this.#show(found);
        } catch (error) {
            if (this.#isClosed) return;
            fill(
                this.#panel,
                problem(error),
                h("button", { type: "button", onclick: () => void this.#read() }, "Try again"),
            );
        }
    }

    /** @param {Found} found */
    #show({ email, links, codes, verification }) {
        fill(
            this.#head,
            h(
                "dl",
                { class: "facts" },
                fact("From", ...senderOf(email)),
                ...["Reply-To", "Cc", "Date"].map((name) => headerFact(email, name)),
                fact(
                    "To",
                    h("span", { class: "mono" }, breakable(email.to)),
                    copyButton("address", this.address.address),
                ),
                fact("Received", time(email.received_at), h("span", { class: "hint" }, ` ${bytes(email.size_bytes)}`)),
                verdicts(email),
            ),
            foundOf(codes, verification),
            h(
                "p",
                { class: "row-actions mail-actions" },
                this.#rawButton("Download .eml"),
                h("button", { type: "button", class: "small", onclick: () => print() }, "Print"),
            ),
        );
        const { attachments } = email;
        const names = Object.keys(email.headers);
        if (email.html_body !== "") this.#add("HTML", () => this.#html(email));
        this.#add("Text", () => textOf(email));
        this.#add(`Links (${links.length})`, () => linkList(links));
        this.#add(`Attachments (${attachments.length})`, () => this.#attachments(attachments));
        this.#add("Headers", () => headers(email.headers, names));
        this.#add("Source", () => this.#source());
        const first = email.html_body !== "" ? "HTML" : "Text";
        this.#select(first);
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
        this.#shownHtml?.abort();
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
        this.#shownHtml?.abort();
        this.#shownHtml = new AbortController();
        const signal = AbortSignal.any([this.#shownHtml.signal, this.#closed.signal]);
        const body = new HtmlBody(this.session, this.address.id, email, () => this.#select("Text"), signal);
        fill(holder, body.element);
        return holder;
    }

    /** @param {Attachment[]} attachments */
    #attachments(attachments) {
        if (attachments.length === 0) return h("p", { class: "hint" }, "This e-mail has no attachments.");
        let previews = 0;
        const all = h(
            "button",
            { type: "button", class: "small", onclick: () => void this.#archive(all, attachments) },
            icon("down"),
            h("span", null, "Download all as one archive"),
        );
        const total = attachments.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
        const list = h("ul", { class: "attachments" });
        const more = h("button", { type: "button", class: "wide", onclick: () => next() }, "Show more");
        const next = () => {
            const from = list.childElementCount;
            list.append(...attachments.slice(from, from + ATTACHMENTS_STEP).map((each, at) => row(each, from + at)));
            more.hidden = list.childElementCount === attachments.length;
        };
        const row = (/** @type {Attachment} */ attachment, /** @type {number} */ index) => {
            const { filename, content_type, size_bytes } = attachment;
            const button = h(
                "button",
                {
                    type: "button",
                    class: "small",
                    "aria-label": `Download ${plain(filename)}`,
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
            const opened = h("div");
            const isText =
                /^(?:message\/rfc822|text\/(?:calendar|plain|csv))$/i.test(content_type) ||
                /\.(?:eml|ics|txt|csv)$/i.test(filename);
            const open = h(
                "button",
                {
                    type: "button",
                    class: "small",
                    "aria-expanded": "false",
                    "aria-label": `Show ${plain(filename)}`,
                    onclick: () => void this.#open(open, opened, attachment, index),
                },
                "Show",
            );
            const isPdf = content_type.toLowerCase() === "application/pdf" || /\.pdf$/i.test(filename);
            const openPdf = h(
                "button",
                {
                    type: "button",
                    class: "small",
                    "aria-label": `Open ${plain(filename)} in a new tab`,
                    onclick: () => void once(openPdf, () => this.#openPdf(filename, index)),
                },
                icon("out"),
                h("span", null, "Open"),
            );
            const preview = h("div", { class: "preview" }, icon(content_type.startsWith("image/") ? "image" : "clip"));
            if (mayBeImage(attachment) && size_bytes <= PREVIEW_BYTES_MAX && previews++ < PREVIEWS_MAX)
                void this.#preview(preview, attachment, index);
            return h(
                "li",
                null,
                preview,
                h(
                    "div",
                    { class: "file" },
                    h("p", { class: "filename" }, plain(filename)),
                    h("p", { class: "hint" }, `${plain(content_type)}, ${bytes(size_bytes)}`),
                    DANGEROUS.test(filename) ? h("p", { class: "warning" }, "This file can run programs.") : null,
                    opened,
                ),
                h(
                    "div",
                    { class: "row-actions" },
                    isText ? open : null,
                    isPdf && size_bytes <= PDF_BYTES_MAX ? openPdf : null,
                    button,
                ),
            );
        };
        next();
        return h(
            "div",
            null,
            attachments.length > 1 && total <= ARCHIVE_BYTES_MAX ? h("p", { class: "row-actions" }, all) : null,
            list,
            more,
        );
    }

    /**
     * Shows an attachment that is text, as text.
     *
     * @param {HTMLButtonElement} button
     * @param {HTMLElement} holder
     * @param {Attachment} attachment
     * @param {number} index
     */
    async #open(button, holder, { size_bytes }, index) {
        const opens = button.getAttribute("aria-expanded") === "false";
        button.setAttribute("aria-expanded", String(opens));
        fill(button, opens ? "Hide" : "Show");
        fill(holder);
        if (!opens) return;
        try {
            const stream = await this.session.client.getAttachment(this.address.id, index, {
                signal: this.#closed.signal,
            });
            fill(holder, await sourceText(stream, size_bytes));
        } catch (error) {
            if (!this.#isClosed) fill(holder, problem(error));
        }
    }

    /**
     * Opens a PDF in the browser's viewer. It has a tab of its own: links in it navigate the tab, and no viewer runs in a sandboxed frame.
     *
     * @param {string} filename
     * @param {number} index
     */
    async #openPdf(filename, index) {
        try {
            const stream = await this.session.client.getAttachment(this.address.id, index, {
                signal: this.#closed.signal,
            });
            const content = await Session.blob(stream, "application/pdf");
            if (!(await content.slice(0, 5).text()).startsWith("%PDF-")) {
                notify("This file is no PDF, whatever its name says. It can be downloaded.", { bad: true });
                return;
            }
            const url = URL.createObjectURL(content);
            this.#urls.push(url);
            openTab(url, plain(filename));
        } catch (error) {
            if (!this.#isClosed) notify(messageOf(error), { bad: true });
        }
    }

    /** @param {HTMLButtonElement} button @param {Attachment[]} attachments */
    #archive(button, attachments) {
        return this.#download(button, `${this.address.id}.zip`, async () => {
            /** @type {{ name: string, content: Uint8Array<ArrayBuffer> }[]} */
            const files = [];
            const names = new Set();
            for (const [index, { filename }] of attachments.entries()) {
                const stream = await this.session.client.getAttachment(this.address.id, index, {
                    signal: this.#closed.signal,
                });
                let name = onDisk(filename);
                while (names.has(name.toLowerCase())) name = `${index + 1}-${name}`;
                names.add(name.toLowerCase());
                files.push({ name, content: new Uint8Array(await new Response(stream).arrayBuffer()) });
            }
            return zip(files).stream();
        });
    }

    /** @param {HTMLElement} holder @param {Attachment} attachment @param {number} index */
    async #preview(holder, { filename }, index) {
        try {
            const stream = await this.session.client.getAttachment(this.address.id, index, {
                signal: this.#closed.signal,
            });
            const content = await imageOf(await Session.blob(stream, ""));
            if (content === undefined || this.#isClosed) return;
            const url = URL.createObjectURL(content);
            this.#urls.push(url);
            const image = h("img", { src: url, alt: `Preview of ${plain(filename)}`, decoding: "async" });
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
        if (DANGEROUS.test(filename)) {
            const yes = await ask({
                title: "This file can run programs",
                text: [
                    h("strong", { class: "mono" }, plain(filename)),
                    " is of a type that a computer runs when it is opened. A stranger sent it.",
                ],
                confirm: "Download anyway",
            });
            if (!yes) return;
        }
        button.disabled = true;
        try {
            const url = URL.createObjectURL(await Session.blob(await read(), "application/octet-stream"));
            // A name on the disk must not read backwards either.
            const link = h("a", { href: url, download: onDisk(filename) });
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

    /** @param {string} name */
    #rawButton(name) {
        const button = h(
            "button",
            {
                type: "button",
                class: "small",
                onclick: () => void this.#download(button, `${this.address.id}.eml`, () => this.#readRaw()),
            },
            icon("down"),
            h("span", null, name),
        );
        return button;
    }

    #readRaw() {
        return this.session.client.getRawEmail(this.address.id, { signal: this.#closed.signal });
    }

    #source() {
        const holder = h("div", null, h("p", { class: "hint" }, "Loading …"));
        void (async () => {
            try {
                fill(holder, await sourceText(await this.#readRaw(), this.address.email?.size_bytes ?? 0));
            } catch (error) {
                if (!this.#isClosed) fill(holder, problem(error));
            }
        })();
        return holder;
    }
}

/**
 * What an e-mail has. A large one takes the page's time in steps, so that it responds between them.
 *
 * @param {Email} email
 * @returns {Promise<Found>}
 */
async function finds(email) {
    await nextTask();
    const links = email.links().slice(0, LINKS_MAX);
    await nextTask();
    const codes = email.codes().slice(0, CODES_MAX);
    await nextTask();
    const verification = email.verificationLink();
    await nextTask();
    return { email, links, codes: codes.map(({ value }) => value), verification };
}

/**
 * Opens a tab. Browsers allow that only for some seconds after a click: after a long download, it takes another one.
 *
 * @param {string} href
 * @param {string} name
 */
function openTab(href, name) {
    const attributes = { href, target: "_blank", rel: "noopener noreferrer" };
    if (navigator.userActivation?.isActive !== false) return h("a", attributes).click();
    openDialog("The file is ready", (dialog) => {
        const close = () => dialog.close();
        return [
            h("p", { class: "filename" }, name),
            h(
                "div",
                { class: "actions" },
                h("button", { type: "button", onclick: close }, "Cancel"),
                h("a", { ...attributes, class: "button primary", onclick: close }, icon("out"), "Open in a new tab"),
            ),
        ];
    });
}

function nextTask() {
    return new Promise((resolve) => setTimeout(resolve));
}

/**
 * The code and the link that a sign-up sends.
 *
 * @param {string[]} codes
 * @param {Link | undefined} verification
 */
function foundOf(codes, verification) {
    if (codes.length === 0 && !verification) return null;
    return h(
        "div",
        { class: "found" },
        codes.map((value) =>
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

/** The name that the sender gives, and the address. @param {Email} email */
function senderOf(email) {
    const field = headerOf(email, "From").slice(0, 1000);
    const name = field.includes("<")
        ? field
              .slice(0, field.lastIndexOf("<"))
              .trim()
              .replace(/^"(.*)"$/, "$1")
        : "";
    return [
        name === "" ? null : h("bdi", null, plain(name, 200)),
        h("span", { class: "mono" }, email.from === "" ? "(no sender)" : breakable(email.from)),
    ].filter((node) => node !== null);
}

/** @param {Email} email @param {string} name */
function headerOf({ headers }, name) {
    return Object.entries(headers).find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1] ?? "";
}

/** @param {Email} email @param {string} name */
function headerFact(email, name) {
    const value = headerOf(email, name);
    return value === "" ? null : fact(name, h("bdi", null, plain(value, 500)));
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

/** The plain text, or what the HTML has of it. @param {Email} email */
function textOf({ text_body, html_body }) {
    if (text_body !== "" || html_body === "") return text(text_body, "This e-mail has no plain text.");
    const read = new HtmlText(html_body.slice(0, TEXT_STEP)).text;
    return h(
        "div",
        null,
        h("p", { class: "hint" }, "This e-mail has no plain text. This is the text of its HTML."),
        text(read, ""),
    );
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
            ? h("p", { class: "hint" }, `This is the beginning of ${bytes(size)}. Download it to see the rest.`)
            : null,
    );
}

/** @param {Record<string, string>} fields @param {string[]} names */
function headers(fields, names) {
    return h(
        "table",
        { class: "headers" },
        h("caption", { class: "unseen" }, "Header fields"),
        h("colgroup", null, h("col", { class: "names" }), h("col")),
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
    return plain(value, HEADER_CHARACTERS_MAX);
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
                    h("span", null, plain(link.text, 200) || "(no text)"),
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
    // Cut before it is matched: its sender chooses its length.
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
