import { ApiError } from "./client/errors.js";
import { breakable, bytes, field, fill, h, icon, notify, once, plain, wrong } from "./dom.js";
import { dataUrl, messageOf, problem } from "./session.js";

/**
 * @typedef {import("./list.js").AddressList} AddressList
 * @typedef {import("./session.js").Session} Session
 */

const FILES_MAX = 100;

/**
 * What is typed and not sent, by account. It is in memory only, and survives other views.
 *
 * @typedef {{ to: string, subject: string, body: string, asHtml: boolean, label: string, files: File[] }} Draft
 * @type {Map<string, Draft>}
 */
const drafts = new Map();

addEventListener("beforeunload", (event) => {
    if (Array.from(drafts.values()).some(({ subject, body, files }) => subject + body !== "" || files.length > 0))
        event.preventDefault();
});

/** A form that sends an e-mail from a new address. */
export class SendView {
    /** @type {Draft} */
    #draft;
    #fileList = h("ul", { class: "attachments" });
    #result = h("div");

    /**
     * @param {Session} session
     * @param {AddressList} list
     * @param {string} recipient
     */
    constructor(session, list, recipient) {
        this.session = session;
        this.list = list;
        const limits = session.account?.limits;
        const owner = session.account?.id ?? "";
        const draft = drafts.get(owner) ?? { to: "", subject: "", body: "", asHtml: false, label: "", files: [] };
        if (recipient !== "") draft.to = recipient;
        drafts.set(owner, draft);
        this.#draft = draft;
        const to = h("input", {
            type: "email",
            required: true,
            autocomplete: "off",
            value: draft.to,
            placeholder: "ada@example.org",
        });
        const subject = h("input", { type: "text", maxlength: "998", autocomplete: "off", value: draft.subject });
        const body = h("textarea", { rows: "8" });
        body.value = draft.body;
        const asHtml = h("input", { type: "checkbox", id: "as-html", checked: draft.asHtml });
        const label = h("input", {
            type: "text",
            maxlength: "255",
            autocomplete: "off",
            list: "labels",
            value: draft.label,
        });
        const picker = h("input", { type: "file", multiple: true, class: "unseen", id: "files", tabindex: "-1" });
        const zone = h(
            "div",
            { class: "drop" },
            icon("clip"),
            h(
                "p",
                null,
                "Drop files here, or ",
                h("button", { type: "button", class: "link", onclick: () => picker.click() }, "choose files"),
                ".",
            ),
            limits
                ? h(
                      "p",
                      { class: "hint" },
                      `Up to ${bytes(limits.max_attachment_bytes)} each, and ${bytes(limits.max_email_bytes)} for the whole e-mail.`,
                  )
                : null,
        );
        picker.setAttribute("aria-label", "Attachments");
        picker.addEventListener("change", () => {
            this.#add(picker.files);
            picker.value = "";
        });
        const submit = h("button", { type: "submit", class: "primary" }, icon("send"), "Send");
        const form = h(
            "form",
            { method: "post", novalidate: true },
            field("To", to),
            field("Subject", subject),
            field("Text", body),
            h("p", { class: "check" }, asHtml, h("label", { for: "as-html" }, "The text is HTML")),
            h(
                "div",
                { class: "field" },
                h("span", { class: "label-text" }, "Attachments"),
                zone,
                picker,
                this.#fileList,
            ),
            field("Label (optional)", label),
            this.#result,
            h("div", { class: "actions start" }, submit),
        );
        form.addEventListener("input", (event) => {
            Object.assign(draft, {
                to: to.value,
                subject: subject.value,
                body: body.value,
                asHtml: asHtml.checked,
                label: label.value,
            });
            if (event.target instanceof HTMLElement && event.target.hasAttribute("aria-invalid")) wrong(event.target);
        });
        const send = async () => {
            [to, subject, label].forEach((input) => wrong(input));
            if (to.value.trim() === "") {
                fill(this.#result);
                wrong(to, "Enter the address that the e-mail goes to.");
                return;
            }
            fill(
                this.#result,
                h(
                    "p",
                    { class: "hint", role: "status" },
                    h("span", { class: "spinner", "aria-hidden": "true" }),
                    " Sending …",
                ),
            );
            try {
                // The form may change while the e-mail is sent.
                const sent = { ...draft };
                const attachments = await Promise.all(sent.files.map(encoded));
                const email = {
                    to: sent.to.trim(),
                    subject: sent.subject,
                    ...(sent.asHtml ? { html_body: sent.body } : { text_body: sent.body }),
                    ...(attachments.length > 0 ? { attachments } : {}),
                };
                // A file that is chosen again is another object.
                const files = sent.files.map(({ name, type, size, lastModified }) => [name, type, size, lastModified]);
                const created = await session.requestOnce([{ ...sent, files }], (options) =>
                    session.client.sendEmail(email, { label: sent.label || null }, options),
                );
                // Files have no JSON.
                if (draft.files === sent.files && JSON.stringify(draft) === JSON.stringify(sent)) {
                    subject.value = body.value = "";
                    Object.assign(draft, { subject: "", body: "", files: [] });
                    this.#showFiles();
                    // The form may be open again, and show text that has been sent.
                    if (!form.isConnected && location.hash.startsWith("#/send")) dispatchEvent(new Event("hashchange"));
                }
                if (!form.isConnected) notify("The e-mail is sent.");
                fill(
                    this.#result,
                    h(
                        "p",
                        { class: "success", role: "status" },
                        icon("done"),
                        h("span", null, "Sent to ", h("strong", null, breakable(created.send_to ?? to.value)), " from "),
                        h("a", { href: `#/address/${created.id}`, class: "mono" }, breakable(created.address)),
                    ),
                );
                list.poll.now();
                void session.readAccount().catch(() => undefined);
            } catch (error) {
                if (!form.isConnected) notify(`Sending failed. ${messageOf(error)}`, { bad: true });
                fill(this.#result);
                const named =
                    error instanceof ApiError ? /^send\.(to|subject)\b|^(label)\b/.exec(error.errorMessage) : null;
                const input = { to, subject, label }[named?.[1] ?? named?.[2] ?? ""];
                if (input) wrong(input, messageOf(error));
                else fill(this.#result, problem(error));
            }
        };
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            void once(submit, send);
        });
        // Anywhere on the page: a file that misses the zone would replace the page.
        this.listeners = new AbortController();
        const { signal } = this.listeners;
        /** @param {DragEvent} event */
        const drag = (event) => {
            if (event.type === "dragleave" && event.relatedTarget !== null) return;
            event.preventDefault();
            zone.classList.toggle("over", event.type === "dragover");
            if (event.type === "drop") this.#add(event.dataTransfer?.files ?? null);
        };
        addEventListener("dragover", drag, { signal });
        addEventListener("dragleave", drag, { signal });
        addEventListener("drop", drag, { signal });
        this.element = h(
            "div",
            { class: "page" },
            h("h1", null, "Send an e-mail"),
            h("p", { class: "lead" }, "It leaves from a new address that sends this one e-mail and receives none."),
            form,
        );
        this.#showFiles();
    }

    close() {
        this.listeners.abort();
    }

    /** @param {FileList | null} files */
    #add(files) {
        const limit = this.session.account?.limits.max_attachment_bytes ?? Infinity;
        for (const file of files ?? []) {
            if (file.size > limit)
                notify(`${file.name} has ${bytes(file.size)}. Your plan allows ${bytes(limit)}.`, { bad: true });
            else if (this.#draft.files.length === FILES_MAX)
                notify(`An e-mail has at most ${FILES_MAX} attachments.`, { bad: true });
            else this.#draft.files = [...this.#draft.files, file];
        }
        this.#showFiles();
    }

    #showFiles() {
        fill(
            this.#fileList,
            this.#draft.files.map((file) =>
                h(
                    "li",
                    null,
                    h("div", { class: "preview" }, icon(file.type.startsWith("image/") ? "image" : "clip")),
                    h(
                        "div",
                        { class: "file" },
                        h("p", { class: "filename" }, plain(file.name)),
                        h("p", { class: "hint" }, `${file.type || "application/octet-stream"}, ${bytes(file.size)}`),
                    ),
                    h(
                        "button",
                        {
                            type: "button",
                            class: "small",
                            "aria-label": `Remove ${file.name}`,
                            onclick: () => {
                                this.#draft.files = this.#draft.files.filter((other) => other !== file);
                                this.#showFiles();
                            },
                        },
                        icon("trash"),
                        h("span", null, "Remove"),
                    ),
                ),
            ),
        );
    }
}

/** The browser encodes off the page's thread. @param {File} file */
async function encoded(file) {
    const url = await dataUrl(file);
    return {
        filename: file.name,
        content_type: file.type || "application/octet-stream",
        content_base64: url.slice(url.indexOf(",") + 1),
    };
}
