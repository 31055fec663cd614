import { ask, count, countdown, field, fill, h, icon, notify, openDialog, shellLine } from "./dom.js";
import { API, messageOf, Poll, problem } from "./session.js";

/**
 * @typedef {import("./client/index.js").Address} Address
 * @typedef {import("./client/index.js").AddressFilter} AddressFilter
 * @typedef {import("./session.js").Session} Session
 * @typedef {{ address: Address, element: HTMLLIElement }} Row
 */

const PAGE = 50;
const POLL_MS = 2000;
const LIFETIMES = /** @type {[number, string][]} */ ([
    [60, "1 minute"],
    [600, "10 minutes"],
    [1800, "30 minutes"],
    [3600, "1 hour"],
    [21_600, "6 hours"],
    [86_400, "24 hours"],
]);
const STATES = {
    waiting: "Waiting for e-mail",
    received: "Received",
    sent: "Sent",
    expired: "Expired",
};

/** The list of addresses, newest first. Polls the newest page; of older ones, a waiting address each time. */
export class AddressList {
    /** Newest first. @type {Map<string, Row>} */
    #rows = new Map();
    /** What is left of the list on the server. @type {AsyncGenerator<Address, void, undefined> | undefined} */
    #rest;
    #loaded = false;
    /** Counts what was asked for, so that a late response of an earlier filter is ignored. */
    #generation = 0;
    #turn = 0;
    /** @type {string | undefined} */
    #selected;
    /** @type {Set<string>} */
    #labels = new Set();

    #items = h("ul", { class: "rows" });
    #message = h("div", { class: "list-message" });
    #more = h(
        "button",
        { type: "button", class: "wide", hidden: true, onclick: () => void this.#loadMore() },
        "Show more",
    );
    #status = h(
        "select",
        null,
        h("option", { value: "" }, "Any state"),
        Object.entries(STATES).map(([value, name]) => h("option", { value }, name)),
    );
    #mode = h(
        "select",
        null,
        h("option", { value: "" }, "Both modes"),
        h("option", { value: "receive" }, "Receiving"),
        h("option", { value: "send" }, "Sending"),
    );
    #label = h("input", {
        type: "search",
        maxlength: "255",
        placeholder: "Whole label",
        list: "labels",
        autocomplete: "off",
    });
    #known = h("datalist", { id: "labels" });
    #bulk = h("div", { class: "bulk", hidden: true });

    /** @param {Session} session */
    constructor(session) {
        this.session = session;
        const reload = () => void this.reload();
        this.#status.addEventListener("change", reload);
        this.#mode.addEventListener("change", reload);
        this.#label.addEventListener("change", reload);
        this.element = h(
            "section",
            { class: "list", "aria-label": "Addresses" },
            h(
                "div",
                { class: "toolbar" },
                h("h2", null, "Addresses"),
                h(
                    "button",
                    { type: "button", class: "primary", onclick: () => this.create() },
                    icon("plus"),
                    "New address",
                ),
            ),
            h(
                "form",
                {
                    class: "filters",
                    "aria-label": "Filter",
                    onsubmit: (/** @type {Event} */ event) => event.preventDefault(),
                },
                field("State", this.#status),
                field("Mode", this.#mode),
                field("Label", this.#label),
                this.#known,
            ),
            this.#bulk,
            this.#items,
            this.#message,
            this.#more,
        );
        void this.reload();
        this.poll = new Poll(session, POLL_MS, () => this.#refresh());
    }

    close() {
        this.poll.stop();
        this.#generation++;
    }

    /** What the page shows next to the list when no address is selected. */
    welcome() {
        return {
            element: h(
                "div",
                { class: "empty" },
                icon("mail"),
                h("h1", null, "Addresses"),
                h(
                    "p",
                    null,
                    "Choose an address to read its e-mail, or create one. It receives exactly one e-mail. When its time is up, everything about it is deleted.",
                ),
                h(
                    "p",
                    null,
                    h(
                        "button",
                        { type: "button", class: "primary", onclick: () => this.create() },
                        icon("plus"),
                        "New address",
                    ),
                ),
                h("p", { class: "hint" }, "The same with curl:"),
                shellLine(curl("/addresses", { ttl_seconds: 600 })),
            ),
        };
    }

    /** @param {string | undefined} id */
    select(id) {
        this.#mark(this.#selected, false);
        this.#selected = id;
        this.#mark(id, true);
    }

    /** What the list knows of an address. @param {string} id */
    find(id) {
        return this.#rows.get(id)?.address;
    }

    /** Takes over what another view has read. @param {Address} address */
    update(address) {
        if (this.#rows.has(address.id)) this.#put(address);
    }

    /** Leaves out an address that is deleted. @param {string} id */
    remove(id) {
        this.#rows.get(id)?.element.remove();
        this.#rows.delete(id);
        this.#showMessage();
    }

    async reload() {
        const generation = ++this.#generation;
        this.#rows.clear();
        this.#loaded = false;
        fill(this.#items);
        fill(this.#message, h("p", { class: "hint" }, "Loading …"));
        this.#more.hidden = true;
        this.#showBulk();
        await this.#refresh(generation);
    }

    /** Asks for lifetime and label, creates the address and opens it. */
    create() {
        const most = this.session.account?.limits.max_ttl_seconds ?? 3600;
        const lifetime = h(
            "select",
            null,
            LIFETIMES.filter(([seconds]) => seconds <= most).map(([seconds, name]) =>
                h("option", { value: seconds, selected: seconds === Math.min(600, most) }, name),
            ),
            h("option", { value: "" }, "Other …"),
        );
        const minutes = h("input", { type: "number", min: "1", max: Math.floor(most / 60), step: "1", value: "15" });
        const other = field("Minutes", minutes, `1 to ${count(Math.floor(most / 60))}, as your plan allows.`);
        other.hidden = true;
        lifetime.addEventListener("change", () => (other.hidden = lifetime.value !== ""));
        const label = h("input", {
            type: "text",
            maxlength: "255",
            autocomplete: "off",
            list: "labels",
            value: this.#label.value,
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
            form.addEventListener("submit", async (event) => {
                event.preventDefault();
                submit.disabled = true;
                fill(result);
                try {
                    const created = await this.session.client.createAddress({
                        ttl_seconds: lifetime.value === "" ? Number(minutes.value) * 60 : Number(lifetime.value),
                        label: label.value === "" ? null : label.value,
                    });
                    dialog.close();
                    location.hash = `#/address/${created.id}`;
                    this.poll.now();
                    void this.session.readAccount().catch(() => undefined);
                } catch (error) {
                    fill(result, problem(error));
                } finally {
                    submit.disabled = false;
                }
            });
            return [form];
        });
    }

    get #filter() {
        /** @type {AddressFilter} */
        const filter = { limit: PAGE };
        if (this.#status.value) filter.status = /** @type {AddressFilter["status"] & string} */ (this.#status.value);
        if (this.#mode.value) filter.mode = /** @type {AddressFilter["mode"] & string} */ (this.#mode.value);
        if (this.#label.value) filter.label = this.#label.value;
        return filter;
    }

    async #refresh(generation = this.#generation) {
        try {
            const pages = this.session.client.listAddresses(this.#filter);
            const { items, ended } = await take(pages, PAGE);
            if (generation !== this.#generation) return;
            this.#merge(items, ended ? undefined : pages);
            await this.#refreshOlder(generation);
        } catch (error) {
            if (generation !== this.#generation) return;
            // The next poll repeats it; the banner says that the service is away.
            if (!this.#loaded) fill(this.#message, problem(error));
        }
    }

    /** @param {number} generation */
    async #refreshOlder(generation) {
        const older = [...this.#rows.values()].slice(PAGE).filter(({ address }) => address.status === "waiting");
        const row = older[this.#turn++ % Math.max(1, older.length)];
        if (!row) return;
        const { id } = row.address;
        const address = await this.session.client.getAddress(id).catch((error) => {
            if (error.status === 404) return undefined;
            if (error.status === 410) return { ...row.address, status: /** @type {const} */ ("expired"), email: null };
            throw error;
        });
        if (generation !== this.#generation) return;
        if (address) this.#put(address);
        else this.remove(id);
    }

    /**
     * Takes over the newest page. What is older stays. What stood among these and is missing was deleted.
     *
     * @param {Address[]} newest
     * @param {AsyncGenerator<Address, void, undefined> | undefined} rest
     */
    #merge(newest, rest) {
        const ids = new Set(newest.map(({ id }) => id));
        const old = [...this.#rows.keys()];
        const lastKnown = old.findLastIndex((id) => ids.has(id));
        const first = !this.#loaded;
        if (rest === undefined || lastKnown < 0) {
            // The newest page is all there is, or all of it is new.
            for (const id of old) if (!ids.has(id)) this.#drop(id);
            this.#rest = rest;
        } else {
            for (const id of old.slice(0, lastKnown)) if (!ids.has(id)) this.#drop(id);
        }
        const older = new Map([...this.#rows].filter(([id]) => !ids.has(id)));
        const before = this.#rows;
        this.#rows = new Map();
        /** @type {Element | null} */
        let next = this.#items.firstElementChild;
        for (const address of newest) {
            const known = before.get(address.id);
            if (known) this.#rows.set(address.id, known);
            const arrived = known?.address.status === "waiting" && address.status === "received";
            const { element } = this.#put(address);
            if (element === next) next = next.nextElementSibling;
            else this.#items.insertBefore(element, next);
            if (arrived || (!known && !first && address.status === "received")) this.#announce(address);
        }
        for (const [id, row] of older) this.#rows.set(id, row);
        this.#loaded = true;
        this.#more.hidden = this.#rest === undefined;
        this.#showMessage();
    }

    async #loadMore() {
        const generation = this.#generation;
        const rest = this.#rest;
        if (!rest) return;
        this.#more.disabled = true;
        try {
            const { items, ended } = await take(rest, PAGE);
            if (generation !== this.#generation) return;
            for (const address of items) this.#items.append(this.#put(address).element);
            if (ended) this.#rest = undefined;
            this.#more.hidden = ended;
        } catch (error) {
            notify(messageOf(error), { bad: true });
            // A generator that has failed has ended.
            await this.reload();
        } finally {
            this.#more.disabled = false;
        }
    }

    /** @param {Address} address */
    #announce(address) {
        notify(`New e-mail from ${address.email?.from || "an unknown sender"}.`);
    }

    /** @param {Address} address @returns {Row} */
    #put(address) {
        const known = this.#rows.get(address.id);
        if (known && isSame(known.address, address)) return known;
        const row = known ?? { address, element: h("li") };
        row.address = address;
        fill(row.element, link(address));
        this.#rows.set(address.id, row);
        if (address.id === this.#selected) this.#mark(address.id, true);
        if (address.label && !this.#labels.has(address.label) && this.#labels.size < 200) {
            this.#labels.add(address.label);
            this.#known.append(h("option", { value: address.label }));
        }
        return row;
    }

    /** @param {string} id */
    #drop(id) {
        this.#rows.get(id)?.element.remove();
        this.#rows.delete(id);
    }

    /** @param {string | undefined} id @param {boolean} selected */
    #mark(id, selected) {
        const link = id === undefined ? undefined : this.#rows.get(id)?.element.firstElementChild;
        if (selected) link?.setAttribute("aria-current", "true");
        else link?.removeAttribute("aria-current");
    }

    #showMessage() {
        if (!this.#loaded) return;
        const filtered = this.#status.value !== "" || this.#mode.value !== "" || this.#label.value !== "";
        if (this.#rows.size > 0) fill(this.#message);
        else if (filtered)
            fill(
                this.#message,
                h(
                    "p",
                    { class: "hint" },
                    "No address matches. ",
                    h("button", { type: "button", class: "link", onclick: () => this.#clearFilter() }, "Show all"),
                ),
            );
        else
            fill(
                this.#message,
                h(
                    "p",
                    { class: "hint" },
                    "There are no addresses yet. Create the first one: it can receive an e-mail at once.",
                ),
                // Next to the list there is one, if the page is wide.
                h("div", { class: "narrow-only" }, shellLine(curl("/addresses", { ttl_seconds: 600 }))),
            );
        this.#showBulk();
    }

    #clearFilter() {
        this.#status.value = this.#mode.value = this.#label.value = "";
        void this.reload();
    }

    #showBulk() {
        const label = this.#label.value;
        this.#bulk.hidden = label === "" || this.#rows.size === 0;
        if (this.#bulk.hidden) return;
        if (this.#bulk.dataset["label"] === label) return;
        this.#bulk.dataset["label"] = label;
        fill(
            this.#bulk,
            h(
                "button",
                { type: "button", class: "danger small", onclick: () => void this.#deleteAll(label) },
                icon("trash"),
                h("span", null, "Delete all with this label"),
            ),
        );
    }

    /** @param {string} label */
    async #deleteAll(label) {
        const yes = await ask({
            title: "Delete all with this label?",
            text: [
                "All addresses labelled ",
                h("strong", null, label),
                " are deleted at once, with their e-mail. This cannot be undone.",
            ],
            confirm: "Delete all",
        });
        if (!yes) return;
        try {
            await this.session.client.deleteAddressesByLabel(label);
            notify(`All addresses labelled ${label} are deleted.`);
            if (location.hash !== "#/") location.hash = "#/";
            this.#clearFilter();
        } catch (error) {
            notify(messageOf(error), { bad: true, seconds: 8 });
        }
    }
}

/** @param {Address} address */
function link(address) {
    const { id, status, mode, label, email } = address;
    const title = email
        ? email.subject || "(no subject)"
        : mode === "send"
          ? "E-mail sent"
          : (STATES[status] ?? status);
    return h(
        "a",
        { href: `#/address/${id}`, class: `row ${status}` },
        h("span", { class: "dot", "aria-hidden": "true" }),
        h("span", { class: "row-title" }, title),
        h("span", { class: "row-time" }, status === "expired" ? "expired" : countdown(address.expires_at)),
        h("span", { class: "row-address" }, email ? email.from || "(no sender)" : address.address),
        h(
            "span",
            { class: "row-more" },
            email?.has_attachments ? [icon("clip"), h("span", { class: "unseen" }, "has attachments")] : null,
            label ? h("span", { class: "label" }, label) : null,
        ),
    );
}

/** @param {Address} a @param {Address} b */
function isSame(a, b) {
    return a.status === b.status && a.expires_at === b.expires_at && (a.email === null) === (b.email === null);
}

/**
 * @param {AsyncGenerator<Address, void, undefined>} pages
 * @param {number} n
 */
async function take(pages, n) {
    /** @type {Address[]} */
    const items = [];
    while (items.length < n) {
        const { done, value } = await pages.next();
        if (done) return { items, ended: true };
        items.push(value);
    }
    return { items, ended: false };
}

/**
 * A request as a line for the shell. The key is a variable: a line may be pasted anywhere.
 *
 * @param {string} path
 * @param {object} [body]
 */
export function curl(path, body) {
    const json =
        body === undefined
            ? ""
            : ` -H 'Content-Type: application/json' -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`;
    return `curl -s ${API}${path} -H "Authorization: Bearer $KEY"${json}`;
}

/** The state of an address, as a badge. @param {Address["status"]} status */
export function badge(status) {
    return h("span", { class: `badge ${status}` }, STATES[status] ?? status);
}
