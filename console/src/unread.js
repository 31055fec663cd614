import { h, notify, plain } from "./dom.js";
import { keep, kept } from "./session.js";

const READ = "oneshot.read";
const READ_MAX = 5000;

/** Which e-mails are read, kept in the browser, and what says that new ones came. */
export class Unread {
    /** E-mails that came while the console was open, and are not read. @type {Set<string>} */
    #fresh = new Set();
    #read = readIds();

    /** @param {import("./session.js").Session} session */
    constructor(session) {
        this.session = session;
        this.button = h(
            "button",
            { type: "button", class: "small", onclick: () => void this.#allow() },
            "Notify me",
        );
        this.button.hidden = !("Notification" in window) || Notification.permission !== "default";
    }

    /** How many came and are not read. */
    get size() {
        return this.#fresh.size;
    }

    /** @param {string} id */
    isRead(id) {
        return this.#read.has(id);
    }

    /** Counts an e-mail no longer. @param {string} id */
    forget(id) {
        if (this.#fresh.delete(id)) this.session.dispatchEvent(new Event("unread"));
    }

    /** Marks an e-mail as read, and says whether it was not. @param {string} id */
    read(id) {
        this.forget(id);
        if (this.#read.has(id)) return false;
        // Other tabs may have read other e-mails.
        this.#read = new Set([...readIds(), ...this.#read, id]);
        keep("localStorage", READ, JSON.stringify(Array.from(this.#read).slice(-READ_MAX)));
        return true;
    }

    /** Says that an e-mail came. @param {import("./client/types.js").Address} address @param {boolean} isShown */
    announce(address, isShown) {
        const from = plain(address.email?.from ?? "", 200) || "an unknown sender";
        notify(`New e-mail from ${from}.`);
        if (isShown) return;
        this.#fresh.add(address.id);
        setTimeout(() => this.forget(address.id), Date.parse(address.expires_at) - Date.now());
        this.session.dispatchEvent(new Event("unread"));
        if (!document.hidden || !("Notification" in window) || Notification.permission !== "granted") return;
        try {
            const note = new Notification(`New e-mail from ${from}`, {
                body: plain(address.email?.subject ?? "", 200),
                tag: address.id,
            });
            note.onclick = () => {
                window.focus();
                location.hash = `#/address/${address.id}`;
                note.close();
            };
        } catch {
            // Chrome on Android notifies only from service workers. The title counts the e-mail all the same.
        }
    }

    async #allow() {
        const permission = await Notification.requestPermission();
        this.button.hidden = permission !== "default";
        notify(
            permission === "granted"
                ? "New e-mails are notified while this page is open."
                : "The browser does not allow notifications.",
        );
    }
}

/** The ids of e-mails that were read in this browser. @returns {Set<string>} */
function readIds() {
    try {
        return new Set(JSON.parse(kept("localStorage", READ) ?? "[]"));
    } catch {
        return new Set();
    }
}
