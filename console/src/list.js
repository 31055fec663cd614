import { ask, count, countdown, field, fill, h, icon, loading, notify, once, plain, shellLine } from "./dom.js";
import { createAddress } from "./new-address.js";
import { API, messageOf, Poll, problem } from "./session.js";
import { Unread } from "./unread.js";

/**
 * @typedef {import("./client/types.js").Address} Address
 * @typedef {import("./client/client.js").AddressFilter} AddressFilter
 * @typedef {import("./session.js").Session} Session
 * @typedef {{ address: Address, element: HTMLLIElement, label: string, text: string }} Row label and text are in lower case, for the search
 */

const PAGE = 50;
const PAGE_MAX = 100;
const COUNTED_MAX = 1000;
const POLL_MS = 2000;
/** Browsers refuse to change the URL at each key that is held down. */
const URL_PAUSE_MS = 250;
const BOX = h("input", { type: "checkbox", class: "choose" });
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

    /** A list for each page: browsers skip those that are not on the screen. */
    #items = h("div", { class: "rows" });
    #message = h("div", { class: "list-message" });
    #more = h(
        "button",
        { type: "button", class: "wide", hidden: true, onclick: () => void this.#loadMore() },
        "Show more",
    );
    #status = h(
        "select",
        null,
        h("option", { value: "" }, "Any"),
        Object.entries(STATES).map(([value, name]) => h("option", { value }, name)),
    );
    #mode = h(
        "select",
        null,
        h("option", { value: "" }, "Both"),
        h("option", { value: "receive" }, "Receiving"),
        h("option", { value: "send" }, "Sending"),
    );
    #label = h("input", {
        type: "search",
        maxlength: "255",
        placeholder: "Whole",
        list: "labels",
        autocomplete: "off",
    });
    #search = h("input", {
        type: "search",
        placeholder: "Subject, sender",
        autocomplete: "off",
        maxlength: "255",
    });
    /** Of the filter, by their names in the page's URL. */
    #inputs = { status: this.#status, mode: this.#mode, label: this.#label, q: this.#search };
    #counts = h("p", { class: "hint counts" });
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #writing;
    /** Addresses that are chosen, or undefined when none can be. @type {Set<string> | undefined} */
    #chosen;
    #choose = h(
        "button",
        { type: "button", class: "small", "aria-pressed": "false", onclick: () => this.#setChoosing() },
        "Select",
    );
    #deleteChosen = h("button", {
        type: "button",
        class: "danger small",
        hidden: true,
        onclick: () => void once(this.#deleteChosen, () => this.#deleteMany()),
    });
    #unread;
    #known = h("datalist", { id: "labels" });
    #deleteLabelled = h(
        "button",
        {
            type: "button",
            class: "danger small",
            onclick: () => void once(this.#deleteLabelled, () => this.#deleteAll(this.#label.value)),
        },
        icon("trash"),
        h("span", null, "Delete all with this label"),
    );
    #bulk = h("div", { class: "bulk", hidden: true }, this.#deleteLabelled);

    /** @param {Session} session */
    constructor(session) {
        this.session = session;
        this.#unread = new Unread(session);
        this.#setFilter(location.hash);
        this.#search.addEventListener("input", () => this.#find());
        for (const input of Object.values(this.#inputs))
            input.addEventListener("change", () => {
                this.#writeFilter();
                if (input !== this.#search) void this.reload();
            });
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
                field("Search", this.#search),
                this.#known,
            ),
            h("div", { class: "list-bar" }, this.#counts, this.#unread.button, this.#choose, this.#deleteChosen),
            this.#bulk,
            this.#items,
            this.#message,
            this.#more,
        );
        this.#items.addEventListener("change", (event) => this.#onChosen(event));
        void this.reload();
        this.poll = new Poll(session, POLL_MS, () => this.#refresh());
    }

    close() {
        this.poll.stop();
        clearTimeout(this.#writing);
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
                h("p", { class: "hint" }, "The same with curl:"),
                shellLine(curl("/addresses", { ttl_seconds: 600 })),
            ),
        };
    }

    /** @param {string | undefined} id */
    select(id) {
        this.#mark(this.#selected, false);
        this.#selected = id;
        if (id !== undefined) this.#markRead(id);
        this.#mark(id, true);
    }

    /** What the list knows of an address. @param {string} id */
    find(id) {
        return this.#rows.get(id)?.address;
    }

    /** Takes over what another view has read. @param {Address} address */
    update(address) {
        if (this.#rows.has(address.id)) this.#put(address);
        if (address.id === this.#selected && !document.hidden) this.#markRead(address.id);
    }

    /** Leaves out an address that is deleted. @param {string} id */
    remove(id) {
        this.#drop(id);
        this.#showMessage();
    }

    /** How many new e-mails are not read, for the title of the page. */
    get unread() {
        return this.#unread.size;
    }

    /** Takes filters from a hash as `#/?status=received&label=x`. @param {string} hash */
    #setFilter(hash) {
        const query = new URLSearchParams(hash.split("?")[1] ?? "");
        for (const [name, input] of Object.entries(this.#inputs)) input.value = query.get(name) ?? "";
    }

    /** What the page's URL says of filters, when the reader follows one. @param {string} hash */
    follow(hash) {
        if (!hash.includes("?")) return this.#writeFilter();
        const before = JSON.stringify(this.#filter);
        this.#setFilter(hash);
        if (JSON.stringify(this.#filter) !== before) void this.reload();
        else this.#find();
    }

    #writeFilter() {
        clearTimeout(this.#writing);
        const query = new URLSearchParams();
        for (const [name, { value }] of Object.entries(this.#inputs)) if (value !== "") query.set(name, value);
        const [path = ""] = location.hash.split("?");
        const hash = (path || "#/") + (query.size > 0 ? `?${query}` : "");
        if (hash !== location.hash && !(hash === "#/" && location.hash === "")) history.replaceState(null, "", hash);
    }

    /** Hides rows that have nothing of what is searched. Others stay as they are. */
    #find() {
        clearTimeout(this.#writing);
        this.#writing = setTimeout(() => this.#writeFilter(), URL_PAUSE_MS);
        const wanted = this.#wanted;
        for (const row of this.#rows.values()) hide(row.element, !matches(row, wanted));
        this.#showMessage();
    }

    /** What is searched. */
    get #wanted() {
        return this.#search.value.trim().toLowerCase();
    }

    /** @param {string} id */
    #markRead(id) {
        if (this.#rows.get(id)?.address.status === "waiting") return;
        if (!this.#unread.read(id)) return;
        const row = this.#rows.get(id);
        row?.element.querySelector(".row")?.classList.remove("unread");
        row?.element.querySelector(".row-title .unseen")?.remove();
    }

    #setChoosing() {
        for (const id of this.#chosen ?? []) this.#check(id, false);
        this.#chosen = this.#chosen === undefined ? new Set() : undefined;
        this.#choose.setAttribute("aria-pressed", String(this.#chosen !== undefined));
        fill(this.#choose, this.#chosen === undefined ? "Select" : "Done");
        // Each row has its box already: thousands take long to make.
        this.#items.classList.toggle("choosing", this.#chosen !== undefined);
        this.#showChosen();
    }

    #showChosen() {
        const size = this.#chosen?.size ?? 0;
        this.#deleteChosen.hidden = size === 0;
        fill(this.#deleteChosen, icon("trash"), h("span", null, `Delete ${count(size)}`));
    }

    async #deleteMany() {
        const ids = Array.from(this.#chosen ?? []);
        const what = ids.length === 1 ? "1 address" : `${count(ids.length)} addresses`;
        const hidden = ids.filter((id) => this.#rows.get(id)?.element.hidden !== false).length;
        const yes = await ask({
            title: `Delete ${what}?`,
            text: [
                "The e-mail is deleted as well. This cannot be undone.",
                hidden > 0 ? ` The list does not show ${count(hidden)} of them now.` : null,
            ],
            confirm: `Delete ${what}`,
        });
        if (!yes) return;
        let deleted = 0;
        try {
            for (const id of ids) {
                await this.session.client.deleteAddress(id).catch((error) => {
                    if (error.status !== 404) throw error;
                });
                deleted++;
                this.#chosen?.delete(id);
                this.remove(id);
                this.#showChosen();
                if (id === this.#selected) location.hash = "#/";
            }
            notify(`${what[0]?.toUpperCase()}${what.slice(1)} ${ids.length === 1 ? "is" : "are"} deleted.`);
            if (this.#chosen) this.#setChoosing();
        } catch (error) {
            notify(`${count(deleted)} of ${what} are deleted. ${messageOf(error)}`, { bad: true });
        }
    }

    /** Opens the row before or after the one that is open. @param {number} step */
    move(step) {
        const rows = Array.from(this.#rows.values()).filter(({ element }) => !element.hidden);
        const at = rows.findIndex(({ address }) => address.id === this.#selected);
        const next = rows[at < 0 ? 0 : at + step];
        if (next) location.hash = `#/address/${next.address.id}`;
    }

    focusSearch() {
        this.#search.focus();
    }

    async reload() {
        const generation = ++this.#generation;
        fill(this.#items);
        this.#rows.clear();
        this.#loaded = false;
        fill(this.#message, loading(6));
        this.#more.hidden = true;
        this.#showBulk();
        await this.#refresh(generation);
    }

    /** Asks for lifetime and label, creates the address and opens it. */
    create() {
        createAddress(this.session, this.#label.value, () => this.poll.now());
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
        const shown = this.#items.getElementsByTagName("li");
        for (const [index, address] of newest.entries()) {
            const known = before.get(address.id);
            if (known) this.#rows.set(address.id, known);
            const { element } = this.#put(address);
            const next = shown[index];
            if (next === undefined) this.#lastPage().append(element);
            else if (next !== element) next.before(element);
            if (!known && !first && address.status === "received") this.#announce(address);
        }
        for (const [id, row] of older) this.#rows.set(id, row);
        this.#loaded = true;
        this.#more.hidden = this.#rest === undefined;
        this.#showMessage();
    }

    #lastPage() {
        if (this.#items.lastElementChild === null) this.#items.append(h("ul", null));
        return /** @type {Element} */ (this.#items.lastElementChild);
    }

    async #loadMore() {
        const generation = this.#generation;
        const rest = this.#rest;
        if (!rest) return;
        this.#more.disabled = true;
        try {
            const { items, ended } = await take(rest, PAGE, (address) => !this.#rows.has(address.id));
            if (generation !== this.#generation) return;
            this.#items.append(h("ul", null, ...items.map((address) => this.#put(address).element)));
            if (ended) this.#rest = undefined;
            this.#more.hidden = ended;
            this.#showMessage();
        } catch (error) {
            if (generation !== this.#generation) return;
            notify(messageOf(error), { bad: true });
            // A generator that has failed has ended. The next one passes the rows that are there.
            this.#rest = this.session.client.listAddresses({ ...this.#filter, limit: PAGE_MAX });
        } finally {
            this.#more.disabled = false;
        }
    }

    /** @param {Address} address @returns {Row} */
    #put(address) {
        const known = this.#rows.get(address.id);
        if (known && isSame(known.address, address)) return known;
        const { label, email } = address;
        const text = `${address.address}\n${email?.subject ?? ""}\n${email?.from ?? ""}`;
        const row = {
            address,
            element: known?.element ?? h("li", null),
            label: (label ?? "").toLowerCase(),
            text: text.toLowerCase(),
        };
        this.#draw(row);
        hide(row.element, !matches(row, this.#wanted));
        this.#rows.set(address.id, row);
        if (address.id === this.#selected) this.#mark(address.id, true);
        // The view of the address may read it first.
        if (known?.address.status === "waiting" && address.status === "received") this.#announce(address);
        if (address.label && !this.#labels.has(address.label) && this.#labels.size < 200) {
            this.#labels.add(address.label);
            this.#known.append(h("option", { value: address.label }));
        }
        return row;
    }

    /** @param {Address} address */
    #announce(address) {
        const isShown = address.id === this.#selected && !document.hidden;
        this.#unread.announce(address, isShown);
        if (isShown) this.#markRead(address.id);
    }

    /** @param {Row} row */
    #draw({ address, element }) {
        const { id } = address;
        const isUnread = address.status === "received" && !this.#unread.isRead(id);
        const focused = Array.from(element.children).findIndex((child) => child === document.activeElement);
        fill(element, linkTo(address, isUnread), boxOf(address, this.#chosen?.has(id) === true));
        const again = element.children[focused];
        if (again instanceof HTMLElement) again.focus({ preventScroll: true });
    }

    /** @param {string} id @param {boolean} checked */
    #check(id, checked) {
        const box = this.#rows.get(id)?.element.lastElementChild;
        if (box instanceof HTMLInputElement) box.checked = checked;
    }

    /** @param {Event} event */
    #onChosen({ target }) {
        if (!(target instanceof HTMLInputElement)) return;
        if (target.checked) this.#chosen?.add(target.value);
        else this.#chosen?.delete(target.value);
        this.#showChosen();
    }

    /** @param {string} id */
    #drop(id) {
        this.#rows.get(id)?.element.remove();
        this.#rows.delete(id);
        this.#unread.forget(id);
    }

    /** @param {string | undefined} id @param {boolean} selected */
    #mark(id, selected) {
        const link = id === undefined ? undefined : this.#rows.get(id)?.element.firstElementChild;
        if (selected) link?.setAttribute("aria-current", "true");
        else link?.removeAttribute("aria-current");
    }

    #showMessage() {
        if (!this.#loaded) return;
        /** @type {Record<string, number>} */
        const numbers = {};
        let shown = 0;
        /** How many rows each page shows: its height while it is not on the screen. @type {Map<HTMLElement, number>} */
        const pages = new Map();
        for (const { address, element } of this.#rows.values()) {
            const page = element.parentElement;
            if (page) pages.set(page, (pages.get(page) ?? 0) + (element.hidden ? 0 : 1));
            if (element.hidden) continue;
            shown++;
            numbers[address.status] = (numbers[address.status] ?? 0) + 1;
        }
        for (const [page, rows] of pages) {
            hide(page, rows === 0);
            if (page.style.getPropertyValue("--rows") !== String(rows)) page.style.setProperty("--rows", String(rows));
        }
        const more = this.#rest === undefined ? "" : "+";
        fill(
            this.#counts,
            Object.keys(STATES)
                .flatMap((status) => (numbers[status] ? [`${count(numbers[status] ?? 0)}${more} ${status}`] : []))
                .join(", ") || "0 addresses",
        );
        const filtered = Object.values(this.#inputs).some(({ value }) => value !== "");
        if (shown > 0) fill(this.#message);
        else if (filtered)
            fill(
                this.#message,
                h(
                    "p",
                    { class: "hint" },
                    `No ${more && "listed "}address matches. `,
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
        for (const input of Object.values(this.#inputs)) input.value = "";
        this.#writeFilter();
        void this.reload();
    }

    #showBulk() {
        this.#bulk.hidden = this.#label.value === "" || this.#rows.size === 0;
    }

    /** How many addresses have a label, in words. @param {string} label */
    async #countOf(label) {
        try {
            const { items, ended } = await take(this.session.client.listAddresses({ limit: PAGE_MAX, label }), COUNTED_MAX);
            return `${ended ? "" : "more than "}${count(items.length)} ${items.length === 1 ? "address" : "addresses"}`;
        } catch {
            // The question is asked all the same.
            return "all addresses";
        }
    }

    /** @param {string} label */
    async #deleteAll(label) {
        const number = await this.#countOf(label);
        const yes = await ask({
            title: `Delete ${number} with this label?`,
            text: [
                "All addresses labelled ",
                h("strong", null, plain(label)),
                ` (${number}) are deleted at once, with their e-mail, whatever State and Mode are chosen. This cannot be undone.`,
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
            notify(messageOf(error), { bad: true });
        }
    }
}

/** Changes nothing if it is so already: browsers would look at the element again. @param {HTMLElement} element @param {boolean} hidden */
function hide(element, hidden) {
    if (element.hidden !== hidden) element.hidden = hidden;
}

/** @param {Row} row @param {string} wanted in lower case */
function matches({ label, text }, wanted) {
    return label.startsWith(wanted) || text.includes(wanted);
}

/** @param {Address} a @param {Address} b */
function isSame(a, b) {
    return a.status === b.status && a.expires_at === b.expires_at && (a.email === null) === (b.email === null);
}

/**
 * @param {AsyncGenerator<Address, void, undefined>} pages
 * @param {number} n
 * @param {(address: Address) => boolean} isWanted
 */
async function take(pages, n, isWanted = () => true) {
    /** @type {Address[]} */
    const items = [];
    while (items.length < n) {
        const { done, value } = await pages.next();
        if (done) return { items, ended: true };
        if (isWanted(value)) items.push(value);
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

/** A row of the list. @param {Address} address @param {boolean} isUnread */
function linkTo(address, isUnread) {
    const { id, status, mode, label, email } = address;
    const title = email
        ? plain(email.subject, 300) || "(no subject)"
        : mode === "send"
          ? "E-mail sent"
          : (STATES[status] ?? status);
    return h(
        "a",
        { href: `#/address/${id}`, class: `row ${status}${isUnread ? " unread" : ""}` },
        h("span", { class: "dot", "aria-hidden": "true" }),
        h("span", { class: "row-title" }, isUnread ? h("span", { class: "unseen" }, "Unread: ") : null, title),
        h("span", { class: "row-time" }, status === "expired" ? "expired" : countdown(address.expires_at)),
        h("span", { class: "row-address" }, email ? plain(email.from, 300) || "(no sender)" : address.address),
        h(
            "span",
            { class: "row-more" },
            email?.has_attachments ? [icon("clip"), h("span", { class: "unseen" }, "has attachments")] : null,
            label ? h("span", { class: "label" }, plain(label)) : null,
        ),
    );
}

/** What chooses a row; hidden until rows can be chosen. @param {Address} address @param {boolean} isChosen */
function boxOf({ id, address }, isChosen) {
    const box = /** @type {HTMLInputElement} */ (BOX.cloneNode());
    box.value = id;
    box.checked = isChosen;
    box.ariaLabel = `Select ${address}`;
    return box;
}

/** The state of an address, as a badge. @param {Address["status"]} status */
export function badge(status) {
    const name = status === "waiting" ? "Waiting" : (STATES[status] ?? status);
    return h("span", { class: `badge ${status}` }, name);
}
