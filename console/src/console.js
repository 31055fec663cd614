import { ApiError, ConnectionError } from "./client/errors.js";
import { fill, h, logo } from "./dom.js";
import { messageOf, NOT_KEPT, problem, Session } from "./session.js";

const app = /** @type {HTMLElement} */ (document.getElementById("app"));

resume();

/** Goes on with the key of an earlier visit in this tab. Only a refusal makes it forget that. */
function resume() {
    const stored = Session.storedKey();
    if (stored === null) return showLogin();
    fill(app, h("main", { class: "login" }, h("p", { class: "hint", role: "status" }, "Loading …")));
    logIn(stored, true).catch((error) => {
        if (error instanceof ApiError && error.status === 401) return showLogin(messageOf(error));
        showRetry(error);
    });
}

/** @param {unknown} error */
function showRetry(error) {
    showCard([
        problem(error),
        h("p", { class: "hint" }, "The key is still in this tab."),
        h(
            "div",
            { class: "actions start" },
            h("button", { type: "button", class: "primary", onclick: resume }, "Try again"),
            h("button", { type: "button", onclick: () => showLogin() }, "Log out"),
        ),
    ]);
}

/** @param {HTMLElement[]} content @param {...HTMLElement} below */
function showCard(content, ...below) {
    const card = h("div", { class: "card" }, h("h1", null, logo(), "oneshot"), content);
    fill(app, h("main", { class: "login" }, card, below));
}

/** @param {string} key @param {boolean} remember */
async function logIn(key, remember) {
    const session = new Session(key);
    // The views are loaded at the start of a session, so that only the first e-mail needs a file.
    const shell = import("./shell.js").catch((cause) => {
        throw new ConnectionError("a file of the console could not be loaded", { cause });
    });
    const [{ Shell }] = await Promise.all([shell, session.readAccount()]);
    new Shell(session, showLogin);
    if (remember) Session.remember(key);
}

/** @param {string} [why] the reason why the user has to log in again */
function showLogin(why) {
    const isKept = Session.forget();
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
    showCard(
        [
            h(
                "p",
                { class: "lead" },
                "E-mail addresses that receive exactly one e-mail, or send exactly one. Then everything about them is deleted.",
            ),
            form,
        ],
        h(
            "p",
            { class: "hint" },
            isKept
                ? "The key stays in this tab: in memory, or in the tab's storage if you tick the box."
                : NOT_KEPT,
            " The operator of the service issues keys. With ",
            h("code", null, "./oneshot up"),
            ", it is ",
            h("code", null, "KEY"),
            " in ",
            h("code", null, ".oneshot/try"),
            ".",
        ),
    );
    key.focus();
}
