/** Elements, dialogs, notices and formats. Text is only ever set as text: nothing here parses HTML. */

/** @typedef {Node | string | number | null | undefined | false} Child */

const PATHS = {
    copy: "M8 8V5a2 2 0 0 1 2-2h9a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-3M5 8h9a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2z",
    done: "M4 12.5 9.5 18 20 6.5",
    plus: "M12 5v14M5 12h14",
    back: "M15 5l-7 7 7 7",
    trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
    clip: "M20 11.5 12 19.5a5 5 0 0 1-7-7l8.5-8.5a3.3 3.3 0 0 1 4.7 4.7L9.8 17a1.7 1.7 0 0 1-2.4-2.4l7.6-7.6",
    mail: "M4 6h16v12H4zM4 7l8 6 8-6",
    send: "M21 3 10 14M21 3l-7 18-4-7-7-4z",
    clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2",
    link: "M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1.5 1.5M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1.5-1.5",
    out: "M14 4h6v6M20 4l-9 9M18 14v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1h5",
    down: "M12 4v11M7 11l5 5 5-5M5 20h14",
    image: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9.5h.01",
    key: "M8 19a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM11 12l8-8M15 8l3 3",
    shield: "M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6z",
    user: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20c1-4 4-5 8-5s7 1 8 5",
    exit: "M10 4H5v16h5M15 8l4 4-4 4M19 12H9",
};

/**
 * Makes an element.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any> | null} [attributes] functions are listeners; null, undefined and false are left out
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes ?? {})) {
        if (typeof value === "function") element.addEventListener(name.slice(2), value);
        else if (value !== null && value !== undefined && value !== false) {
            element.setAttribute(name, value === true ? "" : String(value));
        }
    }
    element.append(...nodes(children));
    return element;
}

/**
 * Replaces what is in an element.
 *
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
    element.replaceChildren(...nodes(children));
}

/**
 * @param {(Child | Child[])[]} children
 * @returns {(Node | string)[]}
 */
function nodes(children) {
    return children
        .flat()
        .filter((child) => child !== null && child !== undefined && child !== false)
        .map((child) => (child instanceof Node ? child : String(child)));
}

/**
 * An icon, which screen readers skip.
 *
 * @param {keyof typeof PATHS} name
 */
export function icon(name) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("class", "icon");
    svg.setAttribute("aria-hidden", "true");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", PATHS[name]);
    svg.append(path);
    return svg;
}

export function logo() {
    return h("img", { src: "icon.svg", alt: "", class: "logo" });
}

/**
 * A button that copies a text.
 *
 * @param {string} what as in "address", for the name of the button
 * @param {string} text
 */
export function copyButton(what, text) {
    // Both texts have the place of the longer one, so that what stands next to the button does not move.
    const label = h("span", { class: "either" }, h("span", null, "Copy"), h("span", null, "Copied"));
    const button = h("button", { type: "button", class: "small", "aria-label": `Copy ${what}` }, icon("copy"), label);
    button.addEventListener("click", async () => {
        const copied = await copy(text);
        fill(button, icon(copied ? "done" : "copy"), label);
        label.classList.toggle("second", copied);
        notify(copied ? `The ${what} is copied.` : "The browser does not allow copying.", { bad: !copied });
        setTimeout(() => {
            fill(button, icon("copy"), label);
            label.classList.remove("second");
        }, 2000);
    });
    return button;
}

/** @param {string} text */
async function copy(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        // Without https, browsers have no clipboard but the one of a selection.
        const area = h("textarea", { class: "unseen", "aria-hidden": "true", tabindex: "-1" });
        area.value = text;
        (document.querySelector("dialog[open]") ?? document.body).append(area);
        const focused = document.activeElement;
        area.select();
        const copied = document.execCommand("copy");
        area.remove();
        if (focused instanceof HTMLElement) focused.focus();
        return copied;
    }
}

/**
 * A line to paste into a shell.
 *
 * @param {string} line
 */
export function shellLine(line) {
    return h(
        "div",
        { class: "shell" },
        h("pre", { tabindex: "0", "aria-label": "The same with curl" }, h("code", null, line)),
        copyButton("command", line),
    );
}

/**
 * Shows a line for some seconds, and reads it to screen readers. Returns what ends it earlier.
 *
 * @param {string} text
 * @param {{ seconds?: number, bad?: boolean }} [options]
 */
export function notify(text, { bad = false, seconds = bad ? 8 : 4 } = {}) {
    const notice = h("p", { class: bad ? "notice bad" : "notice" }, ...breakable(text));
    const notices = /** @type {HTMLElement} */ (document.getElementById("notices"));
    // Above a dialog that is open, and each text once.
    if (notices.matches(":popover-open")) notices.hidePopover();
    notices.showPopover();
    for (const other of Array.from(notices.children)) if (other.textContent === notice.textContent) other.remove();
    while (notices.childElementCount > 2) notices.firstElementChild?.remove();
    notices.append(notice);
    const end = () => {
        notice.remove();
        if (notices.childElementCount === 0 && notices.matches(":popover-open")) notices.hidePopover();
    };
    setTimeout(end, seconds * 1000);
    return end;
}

/**
 * Opens a modal dialog. The browser keeps the focus in it and gives it back.
 *
 * @param {string} title
 * @param {(dialog: HTMLDialogElement) => (Child | Child[])[]} content
 */
export function openDialog(title, content) {
    const dialog = h("dialog", { "aria-labelledby": "dialog-title" });
    dialog.append(h("h2", { id: "dialog-title" }, title), ...nodes(content(dialog)));
    dialog.addEventListener("close", () => {
        if (!dialog.open) dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
    return dialog;
}

/**
 * Asks before something that cannot be undone.
 *
 * @param {{ title: string, text: Child[], confirm: string, safe?: boolean }} question safe: what is confirmed destroys nothing
 * @returns {Promise<boolean>}
 */
export function ask({ title, text, confirm, safe = false }) {
    return new Promise((resolve) => {
        const dialog = openDialog(title, (dialog) => [
            h("p", null, text),
            h(
                "div",
                { class: "actions" },
                h("button", { type: "button", autofocus: true, onclick: () => dialog.close() }, "Cancel"),
                h(
                    "button",
                    { type: "button", class: safe ? "primary" : "danger", onclick: () => dialog.close("yes") },
                    confirm,
                ),
            ),
        ]);
        dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"));
    });
}

/**
 * A form field with its label.
 *
 * @param {string} label
 * @param {HTMLElement} input
 * @param {Child} [hint]
 */
export function field(label, input, hint) {
    input.id ||= `field-${(lastField += 1)}`;
    const more = hint ? h("p", { class: "hint", id: `${input.id}-hint` }, hint) : null;
    if (more) input.setAttribute("aria-describedby", more.id);
    return h("div", { class: "field" }, h("label", { for: input.id }, label), input, more);
}

let lastField = 0;

/**
 * A text of a stranger in one line: characters that reverse or hide others are shown by their numbers, and it ends somewhere.
 *
 * @param {string} text
 * @param {number} [most]
 */
export function plain(text, most = 1000) {
    const shown = text
        .slice(0, most)
        .replace(
            /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu,
            (character) => `[U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}]`,
        );
    return text.length > most ? `${shown} …` : shown;
}

/**
 * An e-mail address that breaks at its @ and dots.
 *
 * @param {string} address
 */
export function breakable(address) {
    return plain(address)
        .split(/(?=@)|(?<=\.)/)
        .flatMap((part, index) => (index === 0 ? [part] : [h("wbr"), part]));
}

/**
 * Runs work for a button that keeps the focus, and is not pressed twice.
 *
 * @param {HTMLButtonElement} button
 * @param {() => Promise<void>} work
 */
export async function once(button, work) {
    if (button.getAttribute("aria-disabled") === "true") return;
    button.setAttribute("aria-disabled", "true");
    try {
        await work();
    } finally {
        button.removeAttribute("aria-disabled");
    }
}

/**
 * Says next to a field what is wrong with it, and puts the focus there; without a text, takes that away.
 *
 * @param {HTMLElement} input in a field
 * @param {string} [what]
 */
export function wrong(input, what) {
    const id = `${input.id}-wrong`;
    document.getElementById(id)?.remove();
    const others = (input.getAttribute("aria-describedby") ?? "").split(" ").filter((other) => other && other !== id);
    if (what === undefined) input.removeAttribute("aria-invalid");
    else {
        input.setAttribute("aria-invalid", "true");
        input.after(h("p", { class: "wrong", id, role: "alert" }, what));
        others.push(id);
        input.focus();
    }
    if (others.length > 0) input.setAttribute("aria-describedby", others.join(" "));
    else input.removeAttribute("aria-describedby");
}

/** What stands where something is about to be. @param {number} lines */
export function loading(lines) {
    return [
        h("p", { class: "unseen" }, "Loading …"),
        ...Array.from({ length: lines }, () => h("div", { class: "skeleton", "aria-hidden": "true" })),
    ];
}

/** @param {number} bytes */
export function bytes(bytes) {
    if (bytes < 1024) return `${bytes} B`;
    if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(bytes < 10240 ? 1 : 0)} KiB`;
    return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** @param {number} n */
export function count(n) {
    return n.toLocaleString("en");
}

/**
 * How long until a time, as in "9 min 30 s"; "now" when it has passed.
 *
 * @param {number} ms
 */
export function span(ms) {
    const seconds = Math.max(0, Math.ceil(ms / 1000));
    if (seconds === 0) return "now";
    if (seconds < 60) return `${seconds} s`;
    if (seconds < 600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
    if (seconds < 7200) return `${Math.floor(seconds / 60)} min`;
    if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h`;
    return `${Math.floor(seconds / 86_400)} days`;
}

/**
 * A countdown, kept current while it is in the page.
 *
 * @param {string} iso
 */
export function countdown(iso) {
    const element = h("span", {
        class: "countdown",
        "data-until": iso,
        title: `until ${new Date(iso).toLocaleString()}`,
    });
    tick(element);
    return element;
}

/** Countdowns in the page, with when their text changes next. @type {Map<Element, number>} */
const due = new Map();

/** @param {Element} element */
function tick(element) {
    const ms = Date.parse(element.getAttribute("data-until") ?? "") - Date.now();
    const text = span(ms);
    if (element.textContent !== text) element.textContent = text;
    element.classList.toggle("soon", ms < 60_000);
    due.set(element, Date.now() + (ms < 600_000 ? 0 : Math.min(ms - 599_000, 20_000)));
}

setInterval(() => {
    const now = Date.now();
    for (const [element, at] of due) {
        if (at > now) continue;
        if (element.isConnected) tick(element);
        else due.delete(element);
    }
}, 1000);
