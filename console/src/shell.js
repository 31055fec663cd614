import { AccountView } from "./account.js";
import { AddressView } from "./address.js";
import { AddressList } from "./list.js";
import { SendView } from "./send.js";
import { fill, h, icon, logo, notify, openDialog } from "./dom.js";
import { keep, kept } from "./session.js";

/** @typedef {import("./session.js").Session} Session */

/**
 * A part of the page with a heading that gets the focus.
 *
 * @typedef {{ element: HTMLElement, close?: () => void }} View
 */

const NO_SHORTCUTS = "oneshot.no-shortcuts";
/** @type {[string, string, (shell: Shell) => void][]} */
const SHORTCUTS = [
    ["j", "Next address", (shell) => shell.list.move(1)],
    ["k", "Previous address", (shell) => shell.list.move(-1)],
    ["n", "New address", (shell) => shell.list.create()],
    ["/", "Search", (shell) => shell.list.focusSearch()],
    ["l", "List of addresses", () => (location.hash = "#/")],
    ["s", "Send an e-mail", () => (location.hash = "#/send")],
    ["a", "Account", () => (location.hash = "#/account")],
    ["?", "This page", (shell) => shell.help()],
];

/** The frame around all views of a logged-in user. */
export class Shell {
    /** @type {View | undefined} */
    #view;
    #shown = "";
    #place = 0;
    #hasKeys = kept("localStorage", NO_SHORTCUTS) === null;
    #listeners = new AbortController();
    #main = h("section", { class: "detail", "aria-label": "Content" });
    #banner = h("div", { class: "banner", role: "alert", hidden: true });
    #links = [
        { route: "", name: "Addresses", symbol: icon("mail") },
        { route: "send", name: "Send", symbol: icon("send") },
        { route: "account", name: "Account", symbol: icon("user") },
    ].map(({ route, name, symbol }) => ({
        route,
        link: h("a", { href: `#/${route}` }, symbol, h("span", null, name)),
    }));

    /** @param {Session} session @param {(why?: string) => void} logIn */
    constructor(session, logIn) {
        this.session = session;
        this.logIn = logIn;
        this.list = new AddressList(session);
        this.body = h("div", { class: "body" }, this.list.element, this.#main);
        fill(
            /** @type {HTMLElement} */ (document.getElementById("app")),
            h(
                "header",
                null,
                h(
                    "a",
                    { href: "#/", class: "skip", onclick: (/** @type {Event} */ event) => this.#skip(event) },
                    "Skip to content",
                ),
                h(
                    "a",
                    { href: "#/", class: "brand", "aria-label": "oneshot, addresses" },
                    logo(),
                    h("span", null, "oneshot"),
                ),
                h(
                    "nav",
                    { "aria-label": "Main" },
                    this.#links.map(({ link }) => link),
                ),
                h(
                    "button",
                    {
                        type: "button",
                        class: "quiet wide-only",
                        "aria-label": "Keyboard shortcuts",
                        onclick: () => this.help(),
                    },
                    "?",
                ),
                h(
                    "button",
                    { type: "button", class: "quiet", "aria-label": "Log out", onclick: () => this.#end() },
                    icon("exit"),
                    h("span", { class: "wide-only" }, "Log out"),
                ),
            ),
            this.#banner,
            h("main", null, this.body),
        );
        let endBack = () => {};
        session.addEventListener("unreachable", () => {
            endBack();
            this.#setAway(true);
            fill(
                this.#banner,
                h("span", { class: "spinner", "aria-hidden": "true" }),
                "The service cannot be reached. Trying again …",
            );
        });
        session.addEventListener("reachable", () => {
            this.#setAway(false);
            endBack = notify("The service is back.");
        });
        session.addEventListener("waiting", (event) => {
            const seconds = /** @type {CustomEvent<number>} */ (event).detail;
            notify(`The rate limit is reached. Continuing in ${seconds} s.`, { seconds: Math.max(4, seconds) });
        });
        session.addEventListener("refused", () => this.#end("The API key is not valid any more."));
        const { signal } = this.#listeners;
        session.addEventListener("unread", () => this.#showUnread(), { signal });
        addEventListener("keydown", (event) => this.#onKey(event), { signal });
        this.onRoute = () => this.#route();
        addEventListener("hashchange", this.onRoute);
        this.#route(true);
    }

    /** @param {boolean} isAway */
    #setAway(isAway) {
        this.#banner.hidden = !isAway;
        document.body.classList.toggle("away", isAway);
    }

    #showUnread() {
        const title = document.title.replace(/^\(\d+\) /, "");
        document.title = this.list.unread > 0 ? `(${this.list.unread}) ${title}` : title;
    }

    /** @param {KeyboardEvent} event */
    #onKey(event) {
        const { target, key } = event;
        if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
        if (target instanceof HTMLElement && target.matches("input, textarea, select")) return;
        if (key !== "?" && !this.#hasKeys) return;
        const found = SHORTCUTS.find(([name]) => name === key);
        if (!found) return;
        event.preventDefault();
        found[2](this);
    }

    /** What the keys do. They can be turned off (WCAG 2.1.4). */
    help() {
        const on = h("input", { type: "checkbox", id: "shortcuts", checked: this.#hasKeys });
        on.addEventListener("change", () => {
            this.#hasKeys = on.checked;
            keep("localStorage", NO_SHORTCUTS, on.checked ? null : "1");
        });
        openDialog("Keyboard shortcuts", (dialog) => [
            h(
                "dl",
                { class: "shortcuts" },
                SHORTCUTS.map(([key, what]) => h("div", null, h("dt", null, h("kbd", null, key)), h("dd", null, what))),
            ),
            h("p", { class: "check" }, on, h("label", { for: "shortcuts" }, "Use these keys")),
            h(
                "div",
                { class: "actions" },
                h("button", { type: "button", class: "primary", onclick: () => dialog.close() }, "Close"),
            ),
        ]);
    }

    /** @param {Event} event */
    #skip(event) {
        event.preventDefault();
        focusHeading(this.#main);
    }

    /** @param {string} [why] */
    #end(why) {
        removeEventListener("hashchange", this.onRoute);
        this.session.close();
        this.#setAway(false);
        this.#listeners.abort();
        this.#view?.close?.();
        this.list.close();
        closeDialogs();
        history.replaceState(null, "", location.pathname);
        this.logIn(why);
    }

    /** @param {boolean} [first] */
    #route(first = false) {
        if (!first) {
            closeDialogs();
            this.list.follow(location.hash);
        }
        const route = location.hash.replace(/^#\//, "").replace(/\?.*/s, "");
        if (this.#shown === "" && route !== "") this.#place = scrollY;
        this.#shown = route;
        const [name = "", argument = ""] = route.split("/");
        this.#view?.close?.();
        this.#view = undefined;
        this.list.select(name === "address" ? argument : undefined);
        const view = this.#viewOf(name, argument);
        this.#view = view;
        this.body.className = `body ${name === "send" || name === "account" ? "single" : name === "address" ? "reading" : "listing"}`;
        for (const { route, link } of this.#links) {
            const current = route === (name === "address" ? "" : name);
            if (current) link.setAttribute("aria-current", "page");
            else link.removeAttribute("aria-current");
        }
        fill(this.#main, view.element);
        const heading = this.#main.querySelector("h1");
        document.title = heading ? `${heading.textContent} – oneshot` : "oneshot";
        this.#showUnread();
        if (!first && name !== "") focusHeading(this.#main);
        // On a phone the list and what is opened from it share the page.
        scrollTo(0, name === "" ? this.#place : 0);
    }

    /** @param {string} name @param {string} argument @returns {View} */
    #viewOf(name, argument) {
        if (name === "address" && /^[0-9A-Za-z]{1,64}$/.test(argument)) {
            return new AddressView(this.session, this.list, argument.toLowerCase());
        }
        if (name === "send") {
            return new SendView(this.session, this.list, decoded(argument));
        }
        if (name === "account") {
            return new AccountView(this.session);
        }
        return this.list.welcome();
    }
}

/** They belong to the page that was shown. The one with a new key reopens itself until the key is kept. */
function closeDialogs() {
    for (const dialog of document.querySelectorAll("dialog")) dialog.close();
}

/** @param {string} value */
function decoded(value) {
    try {
        return decodeURIComponent(value);
    } catch {
        return value;
    }
}

/** @param {Element} element */
function focusHeading(element) {
    const heading = element.querySelector("h1");
    if (heading instanceof HTMLElement) {
        heading.tabIndex = -1;
        heading.focus({ preventScroll: true });
    }
}
