import { AddressExpiredError, NotFoundError } from "./client/errors.js";
import { ask, breakable, copyButton, countdown, fill, h, icon, loading, notify, plain, shellLine } from "./dom.js";
import { badge, curl } from "./list.js";
import { messageOf, Poll, problem } from "./session.js";

/**
 * @typedef {import("./client/types.js").Address} Address
 * @typedef {import("./list.js").AddressList} AddressList
 * @typedef {import("./session.js").Session} Session
 */

const WAITING_POLL_MS = 2000;
const SETTLED_POLL_MS = 15_000;

/** One address: what it waits for, its e-mail, or that it is gone. */
export class AddressView {
    /** @type {Address["status"] | undefined} */
    #status;
    /** @type {Poll | undefined} */
    #poll;
    /** @type {import("./email.js").EmailView | undefined} */
    #email;
    #opening = false;
    #closed = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #expiry;
    #head = h("div");
    #content = h("div", { class: "address-content" });

    /**
     * @param {Session} session
     * @param {AddressList} list
     * @param {string} id
     */
    constructor(session, list, id) {
        this.session = session;
        this.list = list;
        this.id = id;
        this.element = h(
            "article",
            { class: "address" },
            h("a", { href: "#/", class: "back" }, icon("back"), "Addresses"),
            this.#head,
            this.#content,
        );
        const known = list.find(id);
        if (known) this.#show(known);
        else fill(this.#head, h("h1", null, "Address"), loading(4));
        void this.#read();
    }

    close() {
        this.#closed = true;
        this.#poll?.stop();
        clearTimeout(this.#expiry);
        this.#email?.close();
    }

    async #read() {
        try {
            const address = await this.session.client.getAddress(this.id);
            if (this.#closed) return;
            this.list.update(address);
            this.#show(address);
        } catch (error) {
            if (this.#closed) return;
            if (error instanceof AddressExpiredError)
                this.#showGone("This address has expired", "Its e-mail is deleted. No one can read it any more.");
            else if (error instanceof NotFoundError) {
                this.list.remove(this.id);
                this.#showGone("There is no such address", "It was deleted, or it belongs to another account.");
            } else if (this.#status === undefined) {
                fill(this.#head, h("h1", null, "Address"), problem(error));
                this.#pollEach(WAITING_POLL_MS);
            }
        }
    }

    /** @param {number} ms */
    #pollEach(ms) {
        if (this.#poll?.ms === ms) return;
        this.#poll?.stop();
        this.#poll = new Poll(this.session, ms, () => this.#read());
    }

    /** @param {Address} address */
    #show(address) {
        if (address.status === "expired") {
            this.#showGone("This address has expired", "Its e-mail is deleted. No one can read it any more.");
            return;
        }
        this.#pollEach(address.status === "waiting" ? WAITING_POLL_MS : SETTLED_POLL_MS);
        if (this.#status === address.status) {
            if (address.status === "received" && !this.#email) void this.#open(address);
            return;
        }
        const focus = this.#head.contains(document.activeElement) && document.activeElement?.tagName === "H1";
        this.#status = address.status;
        clearTimeout(this.#expiry);
        // The service decides, also if this clock is wrong.
        this.#expiry = setTimeout(
            () => void this.#read(),
            Math.min(Math.max(0, Date.parse(address.expires_at) - Date.now()) + 500, 2 ** 31 - 1),
        );
        this.#showHead(address);
        if (focus) this.#head.querySelector("h1")?.focus();
        if (address.status === "received") {
            fill(this.#content, loading(4));
            void this.#open(address);
        } else if (address.status === "sent") {
            fill(this.#content, this.#sent());
        } else {
            fill(this.#content, this.#waiting(address));
        }
    }

    /**
     * Shows the e-mail. What reads it is loaded now: the table of words that finds codes is as large as the rest of the console. If
     * that fails, the reader or the next poll tries again.
     *
     * @param {Address} address
     */
    async #open(address) {
        if (this.#opening) return;
        this.#opening = true;
        try {
            const [{ EmailView }] = await Promise.all([import("./email.js"), loadStyle()]);
            if (this.#closed || this.#status !== "received") return;
            this.#email = new EmailView(this.session, address);
            fill(this.#content, this.#email.element);
        } catch {
            if (this.#closed || this.#status !== "received") return;
            fill(
                this.#content,
                problem(new Error("The part of the console that shows e-mails could not be loaded.")),
                h("button", { type: "button", class: "again", onclick: () => void this.#open(address) }, "Try again"),
                h("p", { class: "hint" }, "If it fails again, reload the page."),
            );
        } finally {
            this.#opening = false;
        }
    }

    /** @param {Address} address */
    #showHead(address) {
        const title =
            address.status === "received" ? plain(address.email?.subject ?? "") || "(no subject)" : address.address;
        const heading = h(
            "h1",
            { class: address.status === "received" ? "subject" : "mono", tabindex: "-1" },
            ...(address.status === "received" ? [title] : breakable(title)),
        );
        document.title = `${title} – oneshot`;
        this.session.dispatchEvent(new Event("unread"));
        fill(
            this.#head,
            h(
                "div",
                { class: "address-bar" },
                badge(address.status),
                address.label ? h("span", { class: "label" }, plain(address.label)) : null,
                h(
                    "span",
                    { class: "expires" },
                    icon("clock"),
                    h("span", null, "deleted in ", countdown(address.expires_at)),
                ),
                h("span", { class: "gap" }),
                h(
                    "button",
                    { type: "button", class: "danger small", onclick: () => void this.#delete() },
                    icon("trash"),
                    h("span", null, "Delete now"),
                ),
            ),
            h(
                "div",
                { class: "title" },
                heading,
                address.status === "received" ? null : copyButton("address", address.address),
            ),
        );
    }

    /** @param {Address} address */
    #waiting({ address }) {
        return h(
            "div",
            { class: "waiting-card" },
            h(
                "p",
                { class: "pulse" },
                h("span", { class: "spinner", "aria-hidden": "true" }),
                "Waiting for the e-mail. This page shows it as soon as it is there.",
            ),
            h(
                "p",
                null,
                "Use the address where an e-mail should arrive, such as in a sign-up. Or ",
                h("a", { href: `#/send/${encodeURIComponent(address)}` }, "send one to it from here"),
                ", or with curl:",
            ),
            shellLine(
                curl("/addresses", { mode: "send", send: { to: address, subject: "Hello", text_body: "It works." } }),
            ),
            h("p", { class: "hint" }, "Read it with curl:"),
            shellLine(curl(`/addresses/${this.id}/email`)),
        );
    }

    #sent() {
        return h(
            "div",
            { class: "waiting-card" },
            h(
                "p",
                null,
                icon("send"),
                " The e-mail is sent, or is about to be sent. What it contained can be read neither here nor through the API.",
            ),
            h("p", { class: "hint" }, "Deleting the address withdraws an e-mail that has not left yet."),
        );
    }

    /** @param {string} title @param {string} text */
    #showGone(title, text) {
        this.#status = "expired";
        this.#poll?.stop();
        clearTimeout(this.#expiry);
        this.#email?.close();
        const known = this.list.find(this.id);
        if (known && known.status !== "expired") this.list.update({ ...known, status: "expired", email: null });
        document.title = `${title} – oneshot`;
        this.session.dispatchEvent(new Event("unread"));
        fill(this.#head, h("h1", { tabindex: "-1" }, title), h("p", { class: "lead" }, text));
        fill(
            this.#content,
            h(
                "p",
                { class: "row-actions" },
                h("button", { type: "button", onclick: () => this.list.create() }, icon("plus"), "New address"),
                known
                    ? h(
                          "button",
                          { type: "button", class: "danger", onclick: () => void this.#remove() },
                          icon("trash"),
                          "Remove from the list",
                      )
                    : null,
            ),
        );
    }

    async #delete() {
        const yes = await ask({
            title: "Delete this address?",
            text: ["The address and its e-mail are deleted at once. This cannot be undone."],
            confirm: "Delete",
        });
        if (yes) await this.#remove("The address and its e-mail are deleted.");
    }

    /** @param {string} [notice] */
    async #remove(notice) {
        try {
            await this.session.client.deleteAddress(this.id);
            this.list.remove(this.id);
            if (notice) notify(notice);
            location.hash = "#/";
        } catch (error) {
            notify(messageOf(error), { bad: true });
        }
    }
}

/** The style sheet of e-mails. If loading fails, the next e-mail tries again. @type {Promise<unknown> | undefined} */
let style;

function loadStyle() {
    style ??= new Promise((onload, onerror) => {
        document.head.append(h("link", { rel: "stylesheet", href: "email.css", onload, onerror }));
    }).catch((error) => {
        style = undefined;
        throw error;
    });
    return style;
}
