import { ask, bytes, count, fill, h, icon, notify, once, openDialog, plain } from "./dom.js";
import { messageOf, problem } from "./session.js";
import { zip } from "./zip.js";

/**
 * @typedef {import("./client/types.js").Attachment} Attachment
 * @typedef {import("./session.js").Session} Session
 */

/** How much of a text is in the page at first, and how much each click adds: a browser lays out more only slowly. */
export const TEXT_STEP = 200_000;
const PREVIEWS_MAX = 20;
const STEP = 50;
const ARCHIVE_BYTES_MAX = 64 * 1024 * 1024;
const PDF_BYTES_MAX = 32 * 1024 * 1024;
const PREVIEW_BYTES_MAX = 4 * 1024 * 1024;
const EVENT_LINES_MAX = 200;
const HEADER_CHARACTERS_MAX = 64 * 1024;
const FIELD_CHARACTERS_MAX = 2000;

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
export function mayBeImage({ content_type, filename }) {
    return (
        (content_type.startsWith("image/") && !content_type.startsWith("image/svg")) ||
        (content_type === "application/octet-stream" && /\.(?:png|jpe?g|gif|webp|avif|bmp)$/i.test(filename))
    );
}

/** What an operating system runs, or opens in a program that runs what is in it. Windows leaves out dots and spaces at the end. */
const DANGEROUS = new RegExp(
    "\\.(?:exe|com|scr|pif|msi|msp|mst|msix|msixbundle|appx|appxbundle|appinstaller|application|appref-ms|bat|cmd|ps1|ps1xml|ps2|psm1|psd1|psc1" +
        "|vb|vbs|vbe|js|jse|mjs|ws|wsf|wsc|wsh|sct|hta|jar|jnlp|class|cpl|dll|ocx|sys|msc|chm|hlp|reg|inf|ins|isp|lnk|url|website|scf|gadget" +
        "|library-ms|search-ms|searchconnector-ms|settingcontent-ms|theme|themepack|diagcab|rdp|job|msh|xbap|slk|iqy|oqy|rqy|dqy" +
        "|iso|img|udf|vhdx?|vmdk|dmg|mpkg|pkg|app|action|workflow|scpt|scptd|applescript|terminal|tool|command|mobileconfig|apk|aab|ipa|xapk" +
        "|deb|rpm|snap|flatpakref|appimage|run|bin|elf|ko|so|sh|bash|zsh|csh|ksh|fish|desktop|py|pyc|pyw|pyz|pyzw|pl|rb|php|lua" +
        "|docm|dotm|xlsm|xltm|xlsb|xlam|xla|xlm|xll|pptm|potm|ppsm|sldm|ppam|ppa|mdb|mde|accdb|accde|ade|adp|one|onepkg|pub)[.\\s]*$",
    "i",
);

/** @param {string} filename */
function isDangerous(filename) {
    return DANGEROUS.test(filename);
}

/** The attachments of an e-mail, as a list. */
export class AttachmentList {
    /** @type {string[]} */
    #urls = [];
    #previews = 0;
    #list = h("ul", { class: "attachments" });
    #more = h("button", { type: "button", class: "wide", onclick: () => this.#showMore() }, "Show more");

    /**
     * @param {Session} session
     * @param {string} id of the address
     * @param {Attachment[]} attachments
     * @param {AbortSignal} closed
     */
    constructor(session, id, attachments, closed) {
        this.session = session;
        this.id = id;
        this.attachments = attachments;
        this.closed = closed;
        closed.addEventListener("abort", () => this.#urls.forEach((url) => URL.revokeObjectURL(url)));
        const name = h("span", null, "Download all as one archive");
        const all = h(
            "button",
            { type: "button", class: "small", onclick: () => void this.#archive(all, name) },
            icon("down"),
            name,
        );
        const total = attachments.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
        const hasArchive = attachments.length > 1 && total <= ARCHIVE_BYTES_MAX;
        this.element =
            attachments.length === 0
                ? h("p", { class: "hint" }, "This e-mail has no attachments.")
                : h("div", null, hasArchive ? h("p", { class: "row-actions" }, all) : null, this.#list, this.#more);
        this.#showMore();
    }

    #showMore() {
        const from = this.#list.childElementCount;
        const next = this.attachments.slice(from, from + STEP);
        this.#list.append(...next.map((each, at) => this.#row(each, from + at)));
        this.#more.hidden = this.#list.childElementCount === this.attachments.length;
    }

    /** @param {number} index */
    #content(index) {
        return this.session.client.getAttachment(this.id, index, { signal: this.closed });
    }

    /** @param {Attachment} attachment @param {number} index */
    #row(attachment, index) {
        const { filename, content_type, size_bytes } = attachment;
        const button = h(
            "button",
            {
                type: "button",
                class: "small",
                "aria-label": `Download ${plain(filename)}`,
                onclick: () => {
                    const dangerous = [filename].filter(isDangerous);
                    void download(button, filename, dangerous, this.closed, () => this.#content(index));
                },
            },
            icon("down"),
            h("span", null, "Download"),
        );
        const opened = h("div", { class: "opened" });
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
        if (mayBeImage(attachment) && size_bytes <= PREVIEW_BYTES_MAX && this.#previews++ < PREVIEWS_MAX)
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
                isDangerous(filename) ? h("p", { class: "warning" }, "This file can run programs.") : null,
            ),
            h(
                "div",
                { class: "row-actions" },
                isText ? open : null,
                isPdf && size_bytes <= PDF_BYTES_MAX ? openPdf : null,
                button,
            ),
            opened,
        );
    }

    /**
     * Shows a text attachment as text, below the facts of its event or of its e-mail header.
     *
     * @param {HTMLButtonElement} button
     * @param {HTMLElement} holder
     * @param {Attachment} attachment
     * @param {number} index
     */
    async #open(button, holder, { filename, content_type, size_bytes }, index) {
        const opens = button.getAttribute("aria-expanded") === "false";
        button.setAttribute("aria-expanded", String(opens));
        button.ariaLabel = `${opens ? "Hide" : "Show"} ${plain(filename)}`;
        fill(button, opens ? "Hide" : "Show");
        fill(holder);
        if (!opens) return;
        try {
            const stream = await this.#content(index);
            const beginning = await beginningOf(stream);
            if (button.getAttribute("aria-expanded") === "false") return;
            const isMail = /^message\/rfc822$/i.test(content_type) || /\.eml$/i.test(filename);
            const facts = isMail ? letterOf(beginning.text) : eventOf(beginning.text);
            fill(holder, facts, sourceText(beginning, size_bytes));
        } catch (error) {
            if (!this.closed.aborted) fill(holder, problem(error));
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
            const stream = await this.#content(index);
            const content = await blobOf(stream, "application/pdf");
            if (!(await content.slice(0, 5).text()).startsWith("%PDF-")) {
                notify("This file is no PDF, whatever its name says. It can be downloaded.", { bad: true });
                return;
            }
            const url = URL.createObjectURL(content);
            this.#urls.push(url);
            openTab(url, plain(filename));
        } catch (error) {
            if (!this.closed.aborted) notify(messageOf(error), { bad: true });
        }
    }

    /** @param {HTMLButtonElement} button @param {HTMLElement} name */
    async #archive(button, name) {
        const text = name.textContent;
        const dangerous = this.attachments.map(({ filename }) => filename).filter(isDangerous);
        await download(button, `${this.id}.zip`, dangerous, this.closed, async () => {
            /** @type {{ name: string, content: Uint8Array<ArrayBuffer> }[]} */
            const files = [];
            const names = new Set();
            for (const [index, { filename }] of this.attachments.entries()) {
                fill(name, `Reading ${count(index + 1)} of ${count(this.attachments.length)} …`);
                const stream = await this.#content(index);
                let file = onDisk(filename);
                while (names.has(file.toLowerCase())) file = `${index + 1}-${file}`;
                names.add(file.toLowerCase());
                files.push({ name: file, content: new Uint8Array(await new Response(stream).arrayBuffer()) });
            }
            return zip(files).stream();
        });
        fill(name, text);
    }

    /** @param {HTMLElement} holder @param {Attachment} attachment @param {number} index */
    async #preview(holder, { filename }, index) {
        try {
            const stream = await this.#content(index);
            const content = await imageOf(await blobOf(stream, ""));
            if (content === undefined || this.closed.aborted) return;
            const url = URL.createObjectURL(content);
            this.#urls.push(url);
            const image = h("img", { src: url, alt: `Preview of ${plain(filename)}`, decoding: "async" });
            await image.decode();
            fill(holder, image);
        } catch {
            // No image, whatever its type says: the icon stays, and the file can be downloaded.
        }
    }
}

/** The content of a download. @param {ReadableStream<Uint8Array>} stream @param {string} type */
export function blobOf(stream, type) {
    return new Response(stream, { headers: { "Content-Type": type } }).blob();
}

/**
 * Saves what is downloaded as a file. Its type is no type that a browser opens.
 *
 * @param {HTMLButtonElement} button
 * @param {string} filename
 * @param {string[]} dangerous the names of files in it that can run programs
 * @param {AbortSignal} closed
 * @param {() => Promise<ReadableStream<Uint8Array>>} read
 */
export async function download(button, filename, dangerous, closed, read) {
    const [first = "", ...others] = dangerous;
    if (dangerous.length > 0) {
        const yes = await ask({
            title: others.length === 0 ? "This file can run programs" : "These files can run programs",
            text: [
                h("strong", { class: "mono" }, plain(first)),
                others.length === 0
                    ? " is of a type that a computer runs when it is opened. A stranger sent it."
                    : ` and ${count(others.length)} more are of types that a computer runs when they are opened. A stranger sent them.`,
            ],
            confirm: "Download anyway",
        });
        if (!yes) return;
    }
    await once(button, async () => {
        try {
            const url = URL.createObjectURL(await blobOf(await read(), "application/octet-stream"));
            // A name on the disk must not read backwards either.
            const link = h("a", { href: url, download: onDisk(filename) });
            document.body.append(link);
            link.click();
            link.remove();
            setTimeout(() => URL.revokeObjectURL(url), 60_000);
        } catch (error) {
            if (!closed.aborted) notify(messageOf(error), { bad: true });
        }
    });
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

/** The beginning of a text, and whether it is all of it. @param {ReadableStream<Uint8Array>} stream */
export async function beginningOf(stream) {
    const reader = stream.getReader();
    const decoder = new TextDecoder();
    let text = "";
    let isAll = false;
    while (!isAll && text.length <= TEXT_STEP) {
        const { done, value } = await reader.read();
        text += decoder.decode(value, { stream: !done });
        isAll = done;
    }
    void reader.cancel();
    return { text: text.slice(0, TEXT_STEP), isAll: isAll && text.length <= TEXT_STEP };
}

/** @param {{ text: string, isAll: boolean }} beginning @param {number} size of all */
export function sourceText({ text, isAll }, size) {
    const hint = `This is the beginning of ${bytes(size)}. Download it to see the rest.`;
    return h("div", null, h("pre", { class: "text" }, text), isAll ? null : h("p", { class: "hint" }, hint));
}

/** Subject, author, recipients and date of a forwarded e-mail (RFC 5322). @param {string} text */
function letterOf(text) {
    const [header = ""] = text.slice(0, HEADER_CHARACTERS_MAX).split(/\r?\n\r?\n/, 1);
    const lines = header.replace(/\r?\n(?=[ \t])/g, "").split(/\r?\n/);
    return factsOf(
        ["Subject", "From", "To", "Date"].map((name) => {
            const line = lines.find((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}:`)) ?? "";
            return [name, decodedWords(line.slice(name.length + 1, FIELD_CHARACTERS_MAX))];
        }),
    );
}

/** A header field with its encoded words decoded (RFC 2047). @param {string} value */
function decodedWords(value) {
    return value
        .replace(/\?=\s+(?==\?)/g, "?=")
        .replace(/=\?([\w-]{1,40})(?:\*[\w-]*)?\?([bq])\?([^?\s]*)\?=/gi, (word, charset, encoding, text) => {
            try {
                const octets =
                    encoding.toLowerCase() === "b"
                        ? atob(text)
                        : text
                              .replaceAll("_", " ")
                              .replace(/=([0-9a-f]{2})/gi, (/** @type {string} */ _, /** @type {string} */ code) =>
                                  String.fromCharCode(parseInt(code, 16)),
                              );
                return new TextDecoder(charset).decode(Uint8Array.from(octets, (octet) => octet.charCodeAt(0)));
            } catch {
                // The charset is unknown or the base64 invalid: the word stays as it is.
                return word;
            }
        })
        .trim();
}

/** What an invitation says of its first event (RFC 5545). @param {string} text */
function eventOf(text) {
    const lines = text.replace(/\r?\n[ \t]/g, "").split(/\r?\n/);
    const from = lines.findIndex((line) => /^BEGIN:VEVENT$/i.test(line));
    if (from < 0) return null;
    /** @type {Record<string, string>} */
    const found = {};
    for (const line of lines.slice(from + 1, from + EVENT_LINES_MAX)) {
        // An alarm in it has a summary of its own.
        if (/^(?:BEGIN|END):/i.test(line)) break;
        const [, name = "", parameters = "", value = ""] =
            /^([a-z-]+)((?:;[a-z-]+=(?:"[^"]*"|[^";:])*)*):(.*)$/i.exec(line.slice(0, FIELD_CHARACTERS_MAX)) ?? [];
        const zone = /;TZID="?([^";:]+)/i.exec(parameters)?.[1];
        const unescaped = value.replace(/\\(.)/g, (_, character) => (/n/i.test(character) ? ", " : character));
        found[name.toUpperCase()] ??= /^DT(?:START|END)$/i.test(name) ? momentOf(value, zone) : unescaped;
    }
    const { SUMMARY, DTSTART, DTEND, LOCATION, ORGANIZER } = found;
    return factsOf(
        Object.entries({
            Event: SUMMARY,
            When: DTEND ? `${DTSTART ?? ""} – ${DTEND}` : DTSTART,
            Where: LOCATION,
            Organizer: ORGANIZER?.replace(/^mailto:/i, ""),
        }),
    );
}

/** @param {(string | undefined)[][]} facts names and values */
function factsOf(facts) {
    return h(
        "dl",
        { class: "facts" },
        facts.map(([name, value]) => (value ? h("div", null, h("dt", null, name), h("dd", null, plain(value, 500))) : null)),
    );
}

/** A date, or a time in the reader's zone if it is known which one is meant. @param {string} value @param {string} [zone] */
function momentOf(value, zone) {
    const [, year, month, day, hour, minute, utc] = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?$/.exec(value) ?? [];
    if (year === undefined) return value;
    const local = `${year}-${month}-${day}${hour ? ` ${hour}:${minute}` : ""}`;
    if (!utc) return zone ? `${local} (${zone})` : local;
    return new Date(`${year}-${month}-${day}T${hour}:${minute}Z`).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}
