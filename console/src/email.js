import { HtmlText } from "./client/html.js";
import { Email } from "./client/email.js";
import { AttachmentList, beginningOf, download, sourceText, TEXT_STEP } from "./attachments.js";
import { breakable, bytes, copyButton, count, fill, h, icon, loading, plain } from "./dom.js";
import { HtmlBody } from "./html.js";
import { follow, hostOf, linkList } from "./links.js";
import { problem } from "./session.js";

/**
 * @typedef {import("./client/types.js").Address} Address
 * @typedef {import("./links.js").Link} Link
 * @typedef {import("./session.js").Session} Session
 * @typedef {{ email: Email, links: Link[], codes: string[], verification: Link | undefined }} Found
 */

const HEADER_FIELDS_MAX = 500;
const HEADER_CHARACTERS_MAX = 5_000;
const LINKS_MAX = 500;
const CODES_MAX = 3;

/** A received e-mail. All of it is data of a stranger: it is set as text, or shown in a frame that may do nothing. */
export class EmailView {
    #closed = new AbortController();
    #head = h("div");
    #tabs = h("div", { role: "tablist", "aria-label": "Parts of the e-mail", class: "tabs" });
    #panel = h("div", { role: "tabpanel", class: "panel", id: "panel", tabindex: "0" });
    /** @type {Map<string, { tab: HTMLButtonElement, show: () => Node }>} */
    #parts = new Map();
    #shown = "";
    /** @type {AbortController | undefined} */
    #shownHtml;

    /**
     * @param {Session} session
     * @param {Address} address
     */
    constructor(session, address) {
        this.session = session;
        this.address = address;
        this.element = h("div", { class: "email" }, this.#head, this.#tabs, this.#panel);
        this.#tabs.addEventListener("keydown", (event) => this.#onKey(event));
        fill(this.#panel, loading(4));
        void this.#read();
    }

    close() {
        this.#closed.abort();
        fill(this.element);
    }

    get #isClosed() {
        return this.#closed.signal.aborted;
    }

    async #read() {
        try {
            const content = await this.session.client.getEmail(this.address.id, { signal: this.#closed.signal });
            const found = await finds(new Email(content));
            if (this.#isClosed) return;
            this.#show(found);
        } catch (error) {
            if (this.#isClosed) return;
            fill(
                this.#panel,
                problem(error),
                h("button", { type: "button", onclick: () => void this.#read() }, "Try again"),
            );
        }
    }

    /** @param {Found} found */
    #show({ email, links, codes, verification }) {
        fill(
            this.#head,
            h(
                "dl",
                { class: "facts" },
                fact("From", ...senderOf(email)),
                ...["Reply-To", "Cc", "Date"].map((name) => headerFact(email, name)),
                fact(
                    "To",
                    h("span", { class: "mono" }, breakable(email.to)),
                    copyButton("address", this.address.address),
                ),
                fact("Received", time(email.received_at), h("span", { class: "hint" }, ` ${bytes(email.size_bytes)}`)),
                verdicts(email),
            ),
            foundOf(codes, verification),
            h(
                "p",
                { class: "row-actions mail-actions" },
                this.#rawButton("Download .eml"),
                h("button", { type: "button", class: "small", onclick: () => print() }, "Print"),
            ),
        );
        const { attachments } = email;
        const names = Object.keys(email.headers);
        if (email.html_body !== "") this.#add("HTML", () => this.#html(email));
        this.#add("Text", () => textOf(email));
        this.#add(`Links (${links.length})`, () => linkList(links));
        this.#add(`Attachments (${attachments.length})`, () => {
            return new AttachmentList(this.session, this.address.id, attachments, this.#closed.signal).element;
        });
        this.#add("Headers", () => headers(email.headers, names));
        this.#add("Source", () => this.#source());
        const first = email.html_body !== "" ? "HTML" : "Text";
        this.#select(first);
    }

    /** @param {string} name @param {() => Node} show */
    #add(name, show) {
        const tab = h(
            "button",
            {
                type: "button",
                role: "tab",
                id: `tab-${this.#parts.size}`,
                "aria-controls": "panel",
                "aria-selected": "false",
                tabindex: "-1",
                onclick: () => this.#select(name),
            },
            name,
        );
        this.#parts.set(name, { tab, show });
        this.#tabs.append(tab);
    }

    /** @param {string} name */
    #select(name) {
        if (name === this.#shown) return;
        this.#shown = name;
        this.#shownHtml?.abort();
        for (const [other, { tab, show }] of this.#parts) {
            const selected = other === name;
            tab.setAttribute("aria-selected", String(selected));
            tab.tabIndex = selected ? 0 : -1;
            if (selected) {
                this.#panel.setAttribute("aria-labelledby", tab.id);
                fill(this.#panel, show());
            }
        }
    }

    /** The arrow keys move between tabs (ARIA practices). @param {KeyboardEvent} event */
    #onKey(event) {
        const names = [...this.#parts.keys()];
        const at = names.indexOf(this.#shown);
        const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1 }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        const name = /** @type {string} */ (names[(to + names.length) % names.length]);
        this.#select(name);
        this.#parts.get(name)?.tab.focus();
    }

    /** @param {Email} email */
    #html(email) {
        const holder = h("div", { class: "html" });
        this.#shownHtml?.abort();
        this.#shownHtml = new AbortController();
        const signal = AbortSignal.any([this.#shownHtml.signal, this.#closed.signal]);
        const body = new HtmlBody(
            this.session,
            this.address.id,
            email,
            headerOf(email, "Content-Location"),
            () => this.#select("Text"),
            signal,
        );
        fill(holder, body.element);
        return holder;
    }

    /** @param {string} name */
    #rawButton(name) {
        const button = h(
            "button",
            {
                type: "button",
                class: "small",
                onclick: () => void download(button, `${this.address.id}.eml`, [], this.#closed.signal, () => this.#readRaw()),
            },
            icon("down"),
            h("span", null, name),
        );
        return button;
    }

    #readRaw() {
        return this.session.client.getRawEmail(this.address.id, { signal: this.#closed.signal });
    }

    #source() {
        const holder = h("div", null, h("p", { class: "hint" }, "Loading …"));
        void (async () => {
            try {
                fill(holder, sourceText(await beginningOf(await this.#readRaw()), this.address.email?.size_bytes ?? 0));
            } catch (error) {
                if (!this.#isClosed) fill(holder, problem(error));
            }
        })();
        return holder;
    }
}

/**
 * What an e-mail has. A large one takes the page's time in steps, so that it responds between them.
 *
 * @param {Email} email
 * @returns {Promise<Found>}
 */
async function finds(email) {
    await nextTask();
    const links = email.links().slice(0, LINKS_MAX);
    await nextTask();
    const codes = email.codes().slice(0, CODES_MAX);
    await nextTask();
    const verification = email.verificationLink();
    await nextTask();
    return { email, links, codes: codes.map(({ value }) => value), verification };
}

function nextTask() {
    return new Promise((resolve) => setTimeout(resolve));
}

/**
 * The code and the link that a sign-up sends.
 *
 * @param {string[]} codes
 * @param {Link | undefined} verification
 */
function foundOf(codes, verification) {
    if (codes.length === 0 && !verification) return null;
    return h(
        "div",
        { class: "found" },
        codes.map((value) =>
            h(
                "p",
                { class: "code" },
                h("span", { class: "found-name" }, "Code"),
                h("strong", { class: "mono" }, value),
                copyButton(`code ${value}`, value),
            ),
        ),
        verification
            ? h(
                  "p",
                  { class: "code" },
                  h("span", { class: "found-name" }, "Link"),
                  h(
                      "button",
                      { type: "button", class: "link", onclick: () => follow(verification) },
                      icon("link"),
                      h("span", null, breakable(hostOf(verification.href))),
                  ),
                  copyButton("link", verification.href),
              )
            : null,
    );
}

/** The name that the sender gives, and the address. @param {Email} email */
function senderOf(email) {
    const field = headerOf(email, "From").slice(0, 1000);
    const name = field.includes("<")
        ? field
              .slice(0, field.lastIndexOf("<"))
              .trim()
              .replace(/^"(.*)"$/, "$1")
        : "";
    return [
        name === "" ? null : h("bdi", null, plain(name, 200)),
        h("span", { class: "mono" }, email.from === "" ? "(no sender)" : breakable(email.from)),
    ].filter((node) => node !== null);
}

/** @param {Email} email @param {string} name */
function headerOf({ headers }, name) {
    return Object.entries(headers).find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1] ?? "";
}

/** @param {Email} email @param {string} name */
function headerFact(email, name) {
    const value = headerOf(email, name);
    return value === "" ? null : fact(name, h("bdi", null, plain(value, 500)));
}

/** @param {string} iso */
function time(iso) {
    const date = new Date(iso);
    const today = date.toDateString() === new Date().toDateString();
    const shown = date.toLocaleString([], today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" });
    return h("time", { datetime: iso, title: date.toLocaleString() }, shown);
}

/** What the service found of the sender (RFC 8601), if it looked. @param {Email} email */
function verdicts(email) {
    const found = email.authentication();
    if (found === undefined) return null;
    const badges = /** @type {const} */ (["spf", "dkim", "dmarc"]).map((method) => {
        const result = found[method];
        const reason = found.results.find((each) => each.method === method && each.result === result)?.reason;
        const kind = result === "pass" ? "received" : result === "fail" ? "failed" : "";
        return [
            h("span", { class: `badge ${kind}` }, `${method.toUpperCase()} ${result}`),
            h("span", { class: "hint" }, reason ? ` ${reason} ` : " "),
        ];
    });
    return fact("Sender", ...badges.flat());
}

/** @param {string} name @param {...Node} value */
function fact(name, ...value) {
    return h("div", null, h("dt", null, name), h("dd", null, value));
}

/** The plain text, or what the HTML has of it. @param {Email} email */
function textOf({ text_body, html_body }) {
    if (text_body.trim() !== "" || html_body === "") return text(text_body, "This e-mail has no plain text.");
    const read = new HtmlText(html_body.slice(0, TEXT_STEP)).text;
    return h(
        "div",
        null,
        h(
            "p",
            { class: "hint" },
            `This e-mail has no plain text. This is ${html_body.length > TEXT_STEP ? "the beginning of " : ""}the text of its HTML.`,
        ),
        text(read, ""),
    );
}

/** A text that may be long. @param {string} value @param {string} empty */
function text(value, empty) {
    if (value.trim() === "") return h("p", { class: "hint" }, empty);
    const pre = h("pre", { class: "text" });
    const holder = h("div", null, pre);
    let shown = 0;
    const more = () => {
        pre.append(value.slice(shown, (shown += TEXT_STEP)));
        if (shown < value.length)
            fill(
                holder,
                pre,
                h(
                    "button",
                    { type: "button", onclick: more },
                    `Show more (${count(value.length - shown)} characters are left)`,
                ),
            );
        else fill(holder, pre);
    };
    more();
    return holder;
}

/** @param {Record<string, string>} fields @param {string[]} names */
function headers(fields, names) {
    return h(
        "table",
        { class: "headers" },
        h("caption", { class: "unseen" }, "Header fields"),
        h("colgroup", null, h("col", { class: "names" }), h("col")),
        h(
            "tbody",
            null,
            names
                .slice(0, HEADER_FIELDS_MAX)
                .map((name) => h("tr", null, h("th", { scope: "row" }, name), h("td", null, cut(fields[name] ?? "")))),
        ),
        names.length > HEADER_FIELDS_MAX
            ? h("tfoot", null, h("tr", null, h("td", { colspan: "2" }, "The source has the rest.")))
            : null,
    );
}

/** @param {string} value */
function cut(value) {
    return plain(value, HEADER_CHARACTERS_MAX);
}
