import { ApiError } from "./client/errors.js";
import { count, field, fill, h, notify, once, openDialog, wrong } from "./dom.js";
import { messageOf, problem } from "./session.js";

const LIFETIMES = /** @type {[number, string][]} */ ([
    [60, "1 minute"],
    [600, "10 minutes"],
    [1800, "30 minutes"],
    [3600, "1 hour"],
    [21_600, "6 hours"],
    [86_400, "24 hours"],
]);

/**
 * Asks for lifetime and label, creates the address and opens it.
 *
 * @param {import("./session.js").Session} session
 * @param {string} labelled the label to begin with
 * @param {() => void} created
 */
export function createAddress(session, labelled, created) {
    const most = session.account?.limits.max_ttl_seconds ?? 3600;
    const opened = Date.now();
    const lifetime = h(
        "select",
        null,
        LIFETIMES.filter(([seconds]) => seconds <= most).map(([seconds, name]) =>
            h("option", { value: seconds, selected: seconds === Math.min(600, most) }, name),
        ),
        h("option", { value: "" }, "Other …"),
    );
    const minutesMax = Math.floor(most / 60);
    const minutes = h("input", { type: "number", min: "1", max: minutesMax, step: "1", value: "15" });
    const other = field("Minutes", minutes, `1 to ${count(minutesMax)}, as your plan allows.`);
    other.hidden = true;
    lifetime.addEventListener("change", () => (other.hidden = lifetime.value !== ""));
    const label = h("input", {
        type: "text",
        maxlength: "255",
        autocomplete: "off",
        list: "labels",
        value: labelled,
    });
    const result = h("div");
    openDialog("New address", (dialog) => {
        const submit = h("button", { type: "submit", class: "primary" }, "Create");
        const form = h(
            "form",
            { method: "post", novalidate: true },
            field("Lifetime", lifetime, "Then the address and its e-mail are deleted."),
            other,
            field("Label (optional)", label, "To filter by, and to delete all addresses that have it."),
            result,
            h(
                "div",
                { class: "actions" },
                h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
                submit,
            ),
        );
        const send = async () => {
            [minutes, label].forEach((input) => wrong(input));
            fill(result);
            const asked = Number(minutes.value);
            if (lifetime.value === "" && !(Number.isInteger(asked) && asked >= 1 && asked <= minutesMax)) {
                wrong(minutes, `Enter a whole number of minutes between 1 and ${count(minutesMax)}.`);
                return;
            }
            try {
                const request = {
                    ttl_seconds: lifetime.value === "" ? asked * 60 : Number(lifetime.value),
                    label: label.value || null,
                };
                // Another dialog asks for another address.
                const { id } = await session.requestOnce([opened, request], (options) =>
                    session.client.createAddress(request, options),
                );
                if (dialog.open) {
                    dialog.close();
                    location.hash = `#/address/${id}`;
                } else notify("The address is created. It is in the list.");
                created();
                void session.readAccount().catch(() => undefined);
            } catch (error) {
                if (!dialog.open) notify(`Creating the address failed. ${messageOf(error)}`, { bad: true });
                else if (error instanceof ApiError && /^label\b/.test(error.errorMessage)) wrong(label, messageOf(error));
                else fill(result, problem(error));
            }
        };
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            void once(submit, send);
        });
        return [form];
    });
}
