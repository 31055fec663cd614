import { fill, h, icon } from "./dom.js";
import { IMAGES, linkList } from "./email.js";
import { Session } from "./session.js";
import { contentIds } from "./mime.js";

/**
 * @typedef {import("./client/index.js").Email} Email
 * @typedef {{ text: string, href: string }} Link
 */

const CHARACTERS_MAX = 8 * 1024 * 1024;
/** Then the frame is removed, and with it the process that lays it out. */
const FRAME_MS_MAX = 30_000;
const INLINE_IMAGES_MAX = 50;
const INLINE_BYTES_MAX = 8 * 1024 * 1024;

/**
 * The HTML body of an e-mail. It is sent to frame.html, a page of another origin (sandbox) that puts it into a frame without any
 * permission. Nothing of it gets into this page, except links, as text.
 */
export class HtmlBody {
    #frame = h("iframe", {
        sandbox: "allow-scripts",
        src: "frame.html",
        title: "The e-mail as HTML",
        class: "mail-frame",
        referrerpolicy: "no-referrer",
    });
    #notice = h("div", { class: "frame-notice" });
    #links = h("details", { class: "frame-links", hidden: true });
    /** @type {Record<string, string>} */
    #images = {};
    #remote = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #late;

    /**
     * @param {Session} session
     * @param {string} id
     * @param {Email} email
     * @param {(link: Link) => void} follow
     * @param {AbortSignal} closed
     */
    constructor(session, id, email, follow, closed) {
        this.session = session;
        this.id = id;
        this.email = email;
        this.follow = follow;
        this.closed = closed;
        this.element = h("div", { class: "html-body" }, this.#notice, this.#frame, this.#links);
        fill(this.#notice, icon("shield"), h("span", null, "Loading …"));
        addEventListener("message", (event) => this.#receive(event), { signal: closed });
        if (/cid:/i.test(email.html_body) && email.attachments.length > 0) void this.#readImages();
    }

    /** @param {MessageEvent} event */
    #receive({ source, data }) {
        if (source !== this.#frame.contentWindow || source === null) return;
        if (data === "ready") this.#render();
        else if (data && Array.isArray(data.links)) this.#show(data.links, Number(data.remote) || 0);
    }

    #render() {
        clearTimeout(this.#late);
        this.#late = setTimeout(() => this.#giveUp(), FRAME_MS_MAX);
        // The frame has no origin that could be named. Nothing secret is sent.
        this.#frame.contentWindow?.postMessage(
            { html: this.email.html_body.slice(0, CHARACTERS_MAX), images: this.#images, remote: this.#remote },
            "*",
        );
    }

    /** @param {unknown[]} found @param {number} remote how many remote images it names */
    #show(found, remote) {
        clearTimeout(this.#late);
        const links = found
            .map((link) => /** @type {Link} */ (link))
            .filter((link) => typeof link?.href === "string" && typeof link.text === "string");
        fill(
            this.#notice,
            icon("shield"),
            remote > 0 && !this.#remote
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
                      this.#remote
                          ? "Remote images are loaded for this e-mail."
                          : "Scripts, forms and remote content are off.",
                      links.length > 0 ? " Links are numbered; they are listed below." : "",
                  ),
        );
        this.#links.hidden = links.length === 0;
        fill(this.#links, h("summary", null, links.length === 1 ? "1 link" : `${links.length} links`), linkList(links));
        this.#links.open = links.length <= 10;
    }

    #giveUp() {
        if (this.closed.aborted) return;
        this.#frame.remove();
        fill(
            this.#notice,
            icon("shield"),
            h("span", null, "This HTML takes too long to show. Read the e-mail as text, or download its source."),
        );
    }

    #allowRemote() {
        this.#remote = true;
        this.#render();
    }

    /** Finds the images that the HTML names by Content-ID (RFC 2392), which only the source tells. */
    async #readImages() {
        const wanted = new Set(
            Array.from(this.email.html_body.matchAll(/cid:([^"'\s)>]{1,500})/gi), ([, id]) => decode(id ?? "")),
        );
        try {
            const client = this.session.client;
            const source = await Session.blob(
                await client.getRawEmail(this.id, { signal: this.closed }),
                "message/rfc822",
            );
            const ids = contentIds(await latin1(source), this.email.attachments);
            let left = INLINE_BYTES_MAX;
            for (const [index, attachment] of this.email.attachments.entries()) {
                const id = ids[index];
                if (
                    id === undefined ||
                    !wanted.has(id) ||
                    !IMAGES.includes(attachment.content_type) ||
                    attachment.size_bytes > left
                )
                    continue;
                if (Object.keys(this.#images).length === INLINE_IMAGES_MAX) break;
                left -= attachment.size_bytes;
                const content = await client.getAttachment(this.id, index, { signal: this.closed });
                this.#images[id] = await dataUrl(await Session.blob(content, attachment.content_type));
            }
        } catch {
            // The e-mail is readable without its images.
        }
        if (!this.closed.aborted && Object.keys(this.#images).length > 0) this.#render();
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

/** @param {Blob} blob */
async function latin1(blob) {
    return new TextDecoder("latin1").decode(await blob.arrayBuffer());
}

/** @param {Blob} blob @returns {Promise<string>} */
export function dataUrl(blob) {
    return new Promise((resolve, reject) => {
        const reader = new FileReader();
        reader.onload = () => resolve(String(reader.result));
        reader.onerror = () => reject(reader.error);
        reader.readAsDataURL(blob);
    });
}
