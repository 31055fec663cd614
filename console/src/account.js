import { ask, bytes, copyButton, count, field, fill, h, icon, loading, notify, once, openDialog, span, wrong } from "./dom.js";
import { problem } from "./session.js";

/**
 * @typedef {import("./client/types.js").Account} Account
 * @typedef {import("./session.js").Session} Session
 */

const CREDITS_MAX = 1_000_000;

/** @param {number} credits */
function isNumber(credits) {
    return Number.isInteger(credits) && credits >= 1 && credits <= CREDITS_MAX;
}

/** @param {number} credits */
function countOf(credits) {
    return `${count(credits)} ${credits === 1 ? "credit" : "credits"}`;
}

/** What credits cost, if the deployment says what one costs. @param {number} credits */
function priceOf(credits) {
    const price = document.querySelector('meta[name="credit-price"]')?.getAttribute("content") ?? "";
    const [amount = "", currency = ""] = price.split(" ");
    if (currency === "") return undefined;
    return (Number(amount) * credits).toLocaleString("en", { style: "currency", currency, maximumFractionDigits: 6 });
}

/** Plan, usage, credits and the key of the account. */
export class AccountView {
    #facts = h("div", null, ...loading(4));
    #result = h("div");
    #keyResult = h("div");

    /** @param {Session} session */
    constructor(session) {
        this.session = session;
        const credits = h("input", {
            type: "number",
            min: "1",
            max: "1000000",
            step: "1",
            value: "100",
            required: true,
        });
        const buy = h("button", { type: "submit" }, "Buy credits");
        const cost = h("p", { class: "hint", role: "status" });
        const showCost = () => {
            const number = Number(credits.value);
            const price = isNumber(number) ? priceOf(number) : undefined;
            fill(cost, price === undefined ? null : `${countOf(number)} for ${price}.`);
        };
        credits.addEventListener("input", () => {
            wrong(credits);
            showCost();
        });
        showCost();
        const form = h("form", { method: "post", novalidate: true, class: "inline" }, field("Credits", credits), buy);
        form.addEventListener("submit", async (event) => {
            event.preventDefault();
            const number = Number(credits.value);
            wrong(credits);
            if (!isNumber(number)) {
                wrong(credits, `Enter a whole number between 1 and ${count(CREDITS_MAX)}.`);
                return;
            }
            const price = priceOf(number);
            const yes = await ask({
                title: `Buy ${countOf(number)}?`,
                text: [
                    "One credit pays for one address when the allocation is used up. Credits do not expire. ",
                    price === undefined ? "The purchase is invoiced." : `The purchase is invoiced: ${price}.`,
                ],
                confirm: price === undefined ? "Buy" : `Buy for ${price}`,
                safe: true,
            });
            if (!yes) return;
            fill(this.#result);
            await once(buy, async () => {
                try {
                    const added = await session.requestOnce(["credits", number], (options) =>
                        session.client.buyCredits(number, options),
                    );
                    fill(
                        this.#result,
                        h(
                            "p",
                            { class: "success", role: "status" },
                            icon("done"),
                            h(
                                "span",
                                null,
                                `${added.credits_added === 1 ? "1 credit is" : `${count(added.credits_added)} credits are`} added. You have ${count(added.credits)}. Reference: `,
                                h("span", { class: "mono" }, added.reference),
                            ),
                        ),
                    );
                    await this.#read();
                } catch (error) {
                    fill(this.#result, problem(error));
                }
            });
        });
        this.element = h(
            "div",
            { class: "page" },
            h("h1", null, "Account"),
            this.#facts,
            h(
                "section",
                { class: "card" },
                h("h2", null, "Buy credits"),
                h("p", { class: "hint" }, "They pay for addresses when the monthly allocation is used up."),
                form,
                cost,
                this.#result,
            ),
            h(
                "section",
                { class: "card" },
                h("h2", null, "API key"),
                h(
                    "p",
                    { class: "hint" },
                    "A new key replaces the one you use. Everything that uses the old one stops working at once.",
                ),
                h(
                    "p",
                    null,
                    h(
                        "button",
                        { type: "button", class: "danger", onclick: () => void this.#replaceKey() },
                        icon("key"),
                        "New key",
                    ),
                ),
                this.#keyResult,
            ),
        );
        if (session.account) this.#show(session.account);
        void this.#read();
    }

    async #read() {
        try {
            this.#show(await this.session.readAccount());
        } catch (error) {
            fill(this.#facts, problem(error));
        }
    }

    /** @param {Account} account */
    #show(account) {
        const { limits } = account;
        const ends = new Date(account.billing_cycle_ends);
        fill(
            this.#facts,
            h(
                "section",
                { class: "card" },
                h(
                    "div",
                    { class: "plan" },
                    h("h2", null, account.name),
                    h("span", { class: "badge plan-badge" }, `Plan ${account.plan}`),
                ),
                bar(account),
                h(
                    "div",
                    { class: "bar" },
                    h("p", { class: "bar-text" }, h("span", null, "Credits"), h("span", null, count(account.credits))),
                ),
                h(
                    "p",
                    { class: "hint" },
                    "The cycle ends ",
                    h(
                        "time",
                        { datetime: account.billing_cycle_ends },
                        ends.toLocaleDateString([], { dateStyle: "long" }),
                    ),
                    `, in ${span(ends.getTime() - Date.now())}. Then the allocation starts again.`,
                ),
            ),
            h(
                "section",
                { class: "card" },
                h("h2", null, "Limits"),
                h(
                    "dl",
                    { class: "limits" },
                    limit("Longest lifetime", span(limits.max_ttl_seconds * 1000)),
                    limit("E-mail", bytes(limits.max_email_bytes)),
                    limit("Attachment", bytes(limits.max_attachment_bytes)),
                    limit("Requests", `${count(limits.requests_per_second)} a second, ${count(limits.burst)} at once`),
                ),
            ),
        );
    }

    async #replaceKey() {
        const yes = await ask({
            title: "Replace the API key?",
            text: ["The key you use becomes invalid at once. You see the new key once; this console goes on with it."],
            confirm: "Replace the key",
        });
        if (!yes) return;
        fill(this.#keyResult);
        try {
            const key = await this.session.replaceKey();
            showKey(key);
            notify("The old key is not valid any more.");
        } catch (error) {
            fill(this.#keyResult, problem(error));
        }
    }
}

/** Shows a new key until the user says that it is kept: nothing can show it again. @param {string} key */
function showKey(key) {
    const output = h("input", { type: "text", readonly: true, class: "mono", value: key });
    const question = h(
        "p",
        { class: "problem", role: "alert", hidden: true },
        "Is the key copied? Press “I have copied it” to close this. Without the key, no one can use the account.",
    );
    const listeners = new AbortController();
    const { signal } = listeners;
    let kept = false;
    const dialog = openDialog("Your new API key", (dialog) => [
        h("p", null, "Copy it now. It is not shown again."),
        h("div", { class: "new-key" }, field("API key", output), copyButton("key", key)),
        question,
        h(
            "div",
            { class: "actions" },
            h(
                "button",
                {
                    type: "button",
                    class: "primary",
                    onclick: () => {
                        kept = true;
                        dialog.close();
                    },
                },
                "I have copied it",
            ),
        ),
    ]);
    const doubt = () => (question.hidden = false);
    // Browsers close a dialog for the second Escape whatever the page says of the event cancel.
    dialog.addEventListener("keydown", (event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        doubt();
    });
    dialog.addEventListener("close", () => {
        if (kept) {
            output.value = "";
            listeners.abort();
            return;
        }
        document.body.append(dialog);
        dialog.showModal();
        doubt();
    });
    addEventListener("beforeunload", (event) => event.preventDefault(), { signal });
}

/** @param {Account} account */
function bar({ used, monthly_allocation: most }) {
    return h(
        "div",
        { class: used >= 0.8 * most ? "bar high" : "bar" },
        h(
            "div",
            { class: "bar-text" },
            h("label", { for: "used" }, "Addresses this month"),
            h("span", null, `${count(used)} of ${count(most)}`),
        ),
        h("progress", { id: "used", value: Math.min(used, most), max: Math.max(most, 1) }),
    );
}

/** @param {string} name @param {string} value */
function limit(name, value) {
    return h("div", null, h("dt", null, name), h("dd", null, value));
}
