import { AddressList } from "./list.js";
import { fill, h, icon, notify } from "./dom.js";
import { messageOf, problem, Session } from "./session.js";

/**
 * A part of the page with a heading that gets the focus.
 *
 * @typedef {{ element: HTMLElement, close?: () => void }} View
 */

const app = /** @type {HTMLElement} */ (document.getElementById("app"));

const stored = Session.storedKey();
if (stored === null) showLogin();
else void logIn(stored, true).catch((error) => showLogin(messageOf(error)));

/** @param {string} key @param {boolean} remember */
async function logIn(key, remember) {
    const session = new Session(key);
    await session.readAccount();
    if (remember) Session.remember(key);
    new Shell(session);
}

/** @param {string} [why] the reason why the user has to log in again */
function showLogin(why) {
    Session.forget();
    document.title = "oneshot";
    const key = h("input", {
        id: "key",
        type: "password",
        autocomplete: "off",
        spellcheck: "false",
        autocapitalize: "off",
        required: true,
        placeholder: "oneshot_…",
    });
    const remember = h("input", { type: "checkbox", id: "remember" });
    const button = h("button", { type: "submit", class: "primary wide" }, "Log in");
    const result = h("div", null, why ? h("p", { class: "problem", role: "alert" }, why) : null);
    const form = h(
        "form",
        { method: "post", novalidate: true },
        h("label", { for: "key" }, "API key"),
        key,
        h("p", { class: "check" }, remember, h("label", { for: "remember" }, "Keep it until this tab is closed")),
        result,
        button,
    );
    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        const value = key.value.trim();
        if (value === "") {
            key.focus();
            return;
        }
        button.disabled = true;
        fill(result);
        try {
            await logIn(value, remember.checked);
        } catch (error) {
            fill(result, problem(error));
            button.disabled = false;
            key.focus();
        }
    });
    fill(
        app,
        h(
            "main",
            { class: "login" },
            h(
                "div",
                { class: "card" },
                h("h1", null, logo(), "oneshot"),
                h(
                    "p",
                    { class: "lead" },
                    "E-mail addresses that receive exactly one e-mail, or send exactly one. Then everything about them is deleted.",
                ),
                form,
            ),
            h(
                "p",
                { class: "hint" },
                "The key stays in this tab: in memory, or in the tab's storage if you tick the box. The operator of the service issues keys. With ",
                h("code", null, "./oneshot up"),
                ", it is ",
                h("code", null, "KEY"),
                " in ",
                h("code", null, ".oneshot/try"),
                ".",
            ),
        ),
    );
    key.focus();
}

function logo() {
    return h("img", { src: "icon.svg", alt: "", class: "logo" });
}

/** The frame around all views of a logged-in user. */
class Shell {
    /** @type {View | undefined} */
    #view;
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

    /** @param {Session} session */
    constructor(session) {
        this.session = session;
        this.list = new AddressList(session);
        this.body = h("div", { class: "body" }, this.list.element, this.#main);
        fill(
            app,
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
                    { type: "button", class: "quiet", "aria-label": "Log out", onclick: () => this.#end() },
                    icon("exit"),
                    h("span", { class: "wide-only" }, "Log out"),
                ),
            ),
            this.#banner,
            h("main", null, this.body),
        );
        session.addEventListener("unreachable", () => {
            this.#banner.hidden = false;
            fill(
                this.#banner,
                h("span", { class: "spinner", "aria-hidden": "true" }),
                "The service cannot be reached. Trying again …",
            );
        });
        session.addEventListener("reachable", () => {
            this.#banner.hidden = true;
            notify("The service is back.");
        });
        session.addEventListener("waiting", (event) => {
            const seconds = /** @type {CustomEvent<number>} */ (event).detail;
            notify(`The rate limit is reached. Continuing in ${seconds} s.`, { seconds });
        });
        session.addEventListener("refused", () => this.#end("The API key is not valid any more."));
        this.onRoute = () => void this.#route();
        addEventListener("hashchange", this.onRoute);
        void this.#route(true);
    }

    /** @param {Event} event */
    #skip(event) {
        event.preventDefault();
        focusHeading(this.#main);
    }

    /** @param {string} [why] */
    #end(why) {
        removeEventListener("hashchange", this.onRoute);
        this.#view?.close?.();
        this.list.close();
        history.replaceState(null, "", location.pathname);
        showLogin(why);
    }

    /** @param {boolean} [first] */
    async #route(first = false) {
        const route = location.hash.replace(/^#\//, "");
        const [name = "", argument = ""] = route.split("/");
        this.#view?.close?.();
        this.#view = undefined;
        this.list.select(name === "address" ? argument : undefined);
        const view = await this.#viewOf(name, argument);
        if (location.hash.replace(/^#\//, "") !== route) return;
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
        if (!first && name !== "") focusHeading(this.#main);
        scrollTo(0, 0);
    }

    /** @param {string} name @param {string} argument @returns {Promise<View>} */
    async #viewOf(name, argument) {
        if (name === "address" && /^[0-9A-Za-z]{1,64}$/.test(argument)) {
            const { AddressView } = await import("./address.js");
            return new AddressView(this.session, this.list, argument.toLowerCase());
        }
        if (name === "send") {
            const { SendView } = await import("./send.js");
            return new SendView(this.session, this.list, decodeURIComponent(argument));
        }
        if (name === "account") {
            const { AccountView } = await import("./account.js");
            return new AccountView(this.session);
        }
        return this.list.welcome();
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
