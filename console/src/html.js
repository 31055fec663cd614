import { blobOf, imageOf, mayBeImage } from "./attachments.js";
import { fill, h, icon } from "./dom.js";
import { linkList } from "./links.js";
import { dataUrl } from "./session.js";

/**
 * @typedef {import("./client/types.js").Attachment} Attachment
 * @typedef {import("./client/types.js").EmailContent} Email
 * @typedef {import("./links.js").Link} Link
 * @typedef {import("./session.js").Session} Session
 */

const CHARACTERS_MAX = 8 * 1024 * 1024;
const HEIGHT_MAX = 30_000;
const INLINE_IMAGES_MAX = 50;
const INLINE_BYTES_MAX = 8 * 1024 * 1024;
/** What HTML calls an image: an identifier, or a relative URL, which may be a file name. */
const NAME =
    /cid:([^"'\s)>]{1,1000})|(?:\s(?:src|background)\s*=|url\()\s*(?:"([^">:]{1,500})"|'([^'>:]{1,500})'|([^"'\s()>:]{1,500})(?=[\s)>]))/gi;
const BEAT_MS = 1000;
/** After so many beats without a response the reader may leave the frame; after more it is removed, with the process that lays it out. */
const BEATS_SLOW = 5;
const BEATS_MAX = 30;
/** After so many beats the links are shown, also if the height of the e-mail is not known yet. */
const BEATS_UNSETTLED = 10;

/**
 * The HTML body of an e-mail. It is sent to frame.html, a page of another origin (sandbox) that puts it into a frame without any
 * permission. Nothing of it gets into this page, except links, as text. A second such page, size.html, measures how high it is.
 */
export class HtmlBody {
    #frame = h("iframe", {
        sandbox: "allow-scripts",
        src: "frame.html",
        title: "The e-mail as HTML",
        class: "mail-frame",
        referrerpolicy: "no-referrer",
    });
    #size = h("iframe", {
        sandbox: "allow-scripts",
        src: "size.html",
        title: "Measures the e-mail",
        class: "mail-size",
        "aria-hidden": "true",
        tabindex: "-1",
    });
    #notice = h("div", { class: "frame-notice" });
    #slow = h("div", { class: "frame-slow", role: "status" });
    #links = h("details", { class: "frame-links", hidden: true });
    #moving = this.#toggle("Animations", "moving", true);
    /** Images of the e-mail itself, as data: URLs. @type {(Pick<Attachment, "filename" | "content_id" | "content_location"> & { url: string })[]} */
    #images = [];
    /** What the reader has chosen. By default, only the numbers of links are on. */
    #wishes = { remote: false, dark: false, moving: false, numbers: true };
    /** Counts what the frame is sent. A height counts only if it is that of the last. */
    #version = 0;
    /** What is measured; its HTML is empty if it is too large for that. @type {{ html: string, version: number } | undefined} */
    #measured;
    /** What is shown now, to leave it alone while it stays the same. */
    #shown = "";
    /** Whether the frame has its height. Until then what is below it is hidden: it would move when the reader clicks on it. */
    #settled = false;
    #fits = false;
    #imagesRead = false;
    #beats = 0;
    #missed = 0;
    #responded = true;
    #beat = performance.now();

    /**
     * @param {Session} session
     * @param {string} id
     * @param {Email} email
     * @param {string} location its Content-Location, or ""
     * @param {() => void} showText
     * @param {AbortSignal} closed
     */
    constructor(session, id, email, location, showText, closed) {
        this.session = session;
        this.id = id;
        this.email = email;
        this.location = location;
        this.showText = showText;
        this.closed = closed;
        const sheet = h("div", { class: "sheet" }, this.#slow, this.#size, this.#frame);
        this.sheet = sheet;
        this.element = h(
            "div",
            { class: "html-body loading" },
            this.#notice,
            h(
                "div",
                { class: "frame-tools", role: "group", "aria-label": "How the e-mail is shown" },
                this.#widths(),
                this.#toggle("Dark", "dark"),
                this.#toggle("Link numbers", "numbers"),
                this.#moving,
            ),
            sheet,
            this.#links,
        );
        fill(this.#notice, icon("shield"), h("span", null, "Loading …"));
        addEventListener("message", (event) => this.#receive(event), { signal: closed });
        const width = new ResizeObserver(() => this.#size.contentWindow?.postMessage("again", "*"));
        width.observe(sheet);
        const timer = setInterval(() => this.#guard(), BEAT_MS);
        closed.addEventListener("abort", () => {
            clearInterval(timer);
            width.disconnect();
        });
        void this.#readImages();
    }

    /** @param {string} name @param {"dark" | "moving" | "numbers"} wish @param {boolean} [hidden] */
    #toggle(name, wish, hidden = false) {
        const button = h(
            "button",
            { type: "button", class: "small", hidden, "aria-pressed": wish === "numbers" },
            name,
        );
        button.setAttribute("aria-pressed", String(wish === "numbers"));
        button.addEventListener("click", () => {
            this.#wishes[wish] = !this.#wishes[wish];
            button.setAttribute("aria-pressed", String(this.#wishes[wish]));
            this.#render();
        });
        return button;
    }

    #widths() {
        /** @type {HTMLButtonElement[]} */
        const buttons = [
            ["Full width", ""],
            ["Tablet", "768px"],
            ["Phone", "375px"],
        ].map(([name, width]) => {
            const button = h(
                "button",
                {
                    type: "button",
                    class: "small",
                    "aria-pressed": String(width === ""),
                    onclick: () => {
                        this.sheet.style.maxWidth = width ?? "";
                        buttons.forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
                    },
                },
                name,
            );
            return button;
        });
        return h("span", { class: "widths" }, buttons);
    }

    /** @param {MessageEvent} event */
    #receive({ source, data }) {
        if (source === null) return;
        if (source === this.#size.contentWindow) {
            if (data === "ready") this.#measure();
            else if (data?.height > 0) {
                this.#frame.style.height = `${Math.min(Number(data.height), HEIGHT_MAX) + 2}px`;
                this.#frame.classList.toggle("tall", this.#wishes.remote && data.isOpen === true);
                if (data.version === this.#version) this.#fits = true;
                this.#settle();
            }
        } else if (source === this.#frame.contentWindow) {
            this.#responded = true;
            if (data === "ready") this.#render();
            else if (data && Array.isArray(data.links)) {
                this.#measured = { html: String(data.html ?? ""), version: Number(data.version) };
                this.#moving.hidden = data.moving !== true;
                this.#show(data.links, Number(data.remote) || 0);
                this.#measure();
            }
        }
    }

    #render() {
        // The frame has no origin that could be named. Nothing secret is sent.
        const html = this.email.html_body.slice(0, CHARACTERS_MAX);
        const { location } = this;
        const version = ++this.#version;
        this.#frame.contentWindow?.postMessage({ html, version, images: this.#images, location, ...this.#wishes }, "*");
    }

    #measure() {
        if (this.#measured === undefined) return;
        if (this.#measured.html !== "") {
            this.#size.contentWindow?.postMessage(this.#measured, "*");
            return;
        }
        if (this.#measured.version === this.#version) this.#fits = true;
        this.#settle();
    }

    /** Shows what is below the frame, once that has its height. */
    #settle() {
        if (this.#fits && this.#imagesRead) this.#settled = true;
        this.#links.hidden = !this.#settled || this.#links.childElementCount === 0;
    }

    /** @param {unknown[]} found @param {number} remote how many remote images it names */
    #show(found, remote) {
        this.element.classList.remove("loading");
        const links = found
            .map((link) => /** @type {Link} */ (link))
            .filter((link) => typeof link?.href === "string" && typeof link.text === "string");
        const shown = JSON.stringify([links, remote, this.#wishes.remote]);
        if (shown === this.#shown) return;
        this.#shown = shown;
        fill(
            this.#notice,
            icon("shield"),
            remote > 0 && !this.#wishes.remote
                ? h(
                      "span",
                      null,
                      `${remote === 1 ? "A remote image is" : `${remote} remote images are`} not loaded: loading tells the sender that you read this. `,
                      h(
                          "button",
                          { type: "button", class: "link", onclick: () => this.#allowRemote() },
                          "Load for this e-mail",
                      ),
                  )
                : h(
                      "span",
                      null,
                      this.#wishes.remote
                          ? "Remote images are loaded for this e-mail."
                          : "Scripts, forms and remote content are off.",
                      links.length > 0 ? " Links are listed below the e-mail." : "",
                  ),
        );
        if (links.length === 0) fill(this.#links);
        else
            fill(
                this.#links,
                h("summary", null, links.length === 1 ? "1 link" : `${links.length} links`),
                linkList(links),
            );
        this.#links.open = links.length <= 10;
        this.#settle();
    }

    /** Asks the frame each second whether it still responds. If it shares the page's process, the page is late itself. */
    #guard() {
        const now = performance.now();
        const late = now - this.#beat > 4 * BEAT_MS;
        this.#beat = now;
        if (!this.#frame.isConnected) return;
        if (document.hidden) {
            this.#missed = 0;
            return;
        }
        if (!this.#settled && this.#measured !== undefined && ++this.#beats === BEATS_UNSETTLED) {
            this.#fits = this.#imagesRead = true;
            this.#settle();
        }
        this.#missed = this.#responded && !late ? 0 : this.#missed + 1;
        this.#responded = false;
        this.#frame.contentWindow?.postMessage("ping", "*");
        if (this.#missed === 0) fill(this.#slow);
        else if (this.#missed >= BEATS_MAX) this.#giveUp();
        else if (this.#missed === BEATS_SLOW)
            fill(this.#slow, h("span", null, "This HTML keeps the browser busy. "), this.#asText());
    }

    #asText() {
        return h("button", { type: "button", class: "small", onclick: () => this.showText() }, "Show as text");
    }

    #giveUp() {
        if (this.closed.aborted) return;
        this.element.classList.remove("loading");
        this.element.classList.add("given-up");
        this.#frame.remove();
        this.#size.remove();
        fill(this.#slow);
        fill(
            this.#notice,
            icon("shield"),
            h(
                "span",
                null,
                "This HTML takes too long to show. Read it as text, or download its source. ",
                this.#asText(),
            ),
        );
    }

    #allowRemote() {
        this.#wishes.remote = true;
        this.#render();
    }

    /** Reads the images that the HTML names by Content-ID (RFC 2392) or file name, and those with a Content-Location (RFC 2557). */
    async #readImages() {
        const html = this.email.html_body;
        const wanted = new Set(Array.from(html.matchAll(NAME), (found) => decode(found.slice(1).join("").replaceAll("&amp;", "&"))));
        let left = INLINE_BYTES_MAX;
        let read = 0;
        for (const [index, attachment] of this.email.attachments.entries()) {
            const { content_id, content_location, filename, size_bytes } = attachment;
            const isLocated = content_location !== undefined && mayBeImage(attachment);
            const isNamed = (content_id !== undefined && wanted.has(content_id)) || wanted.has(filename);
            if (!(isLocated || isNamed) || size_bytes > left) continue;
            if (++read > INLINE_IMAGES_MAX) break;
            left -= size_bytes;
            try {
                const content = await this.session.client.getAttachment(this.id, index, { signal: this.closed });
                const image = await imageOf(await blobOf(content, ""));
                if (image === undefined) continue;
                this.#images.push({ filename, content_id, content_location, url: await dataUrl(image) });
            } catch {
                // The e-mail is readable without this image.
                if (this.closed.aborted) return;
            }
        }
        if (this.closed.aborted) return;
        this.#imagesRead = true;
        if (this.#images.length === 0) return this.#settle();
        this.#fits = this.#settled;
        this.#render();
    }
}

/** @param {string} id */
function decode(id) {
    try {
        return decodeURIComponent(id);
    } catch {
        return id;
    }
}
