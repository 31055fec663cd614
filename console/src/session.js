import { Client } from "./client/client.js";
import { ApiError, ConnectionError } from "./client/errors.js";
import { bytes, h, notify, span } from "./dom.js";

/** @typedef {import("./client/types.js").Account} Account */

const STORED = "oneshot.api-key";
const REPLACEMENTS_MAX = 5;
const HIDDEN_MS = 15_000;
export const NOT_KEPT = "The browser refuses storage: the key is not kept, and a reload asks for it again.";

/** Statuses that refuse the content itself: nothing was done. */
const REFUSALS = [400, 402, 413, 422];
/** The keys of requests whose outcome is not known, by account and content. @type {Map<string, string>} */
const idempotencyKeys = new Map();

/** Where the API is: next to the console, also below a prefix of a proxy. */
export const API = new URL("../v1", document.baseURI).href;

/**
 * The key and the client made with it. The key is in memory, and in sessionStorage if the user asks for that; never in a URL, a
 * cookie or the page.
 *
 * Events: `reachable` and `unreachable` when the service comes and goes, `waiting` with the seconds when the rate limit is reached,
 * `refused` when the key is not valid any more.
 */
export class Session extends EventTarget {
    /** @type {Client<import("./client/types.js").EmailContent>} */
    client;
    /** @type {Account | undefined} */
    account;
    /** How many requests the rate limit leaves, and in how many seconds it is full again. */
    rate = { left: Infinity, seconds: 0 };
    #reachable = true;
    #closed = false;
    #key;
    /** Whether a replacement of the key has begun, without success yet. Then the old key may be refused. */
    #replacing = false;

    /** @param {string} key */
    constructor(key) {
        super();
        this.#key = key;
        this.client = new Client(
            { baseUrl: API, apiKey: key, fetch: (url, init) => this.#fetch(url, init) },
            (content) => content,
        );
    }

    /** The key of an earlier visit in this tab. */
    static storedKey() {
        return kept("sessionStorage", STORED);
    }

    static forget() {
        return keep("sessionStorage", STORED, null);
    }

    /** @param {string} key */
    static remember(key) {
        if (!keep("sessionStorage", STORED, key)) notify(NOT_KEPT, { bad: true });
    }

    /** A response that comes later belongs to no one. */
    close() {
        this.#closed = true;
    }

    async readAccount() {
        this.account = await this.client.getAccount();
        this.dispatchEvent(new Event("account"));
        return this.account;
    }

    /**
     * Makes a request that must have one effect: the same content has the same Idempotency-Key until its outcome is known.
     *
     * @template T
     * @param {unknown} content
     * @param {(options: { idempotencyKey: string }) => Promise<T>} request
     */
    async requestOnce(content, request) {
        const name = JSON.stringify([this.account?.id, content]);
        const idempotencyKey = idempotencyKeys.get(name) ?? crypto.getRandomValues(new Uint32Array(4)).join("-");
        idempotencyKeys.set(name, idempotencyKey);
        try {
            const response = await request({ idempotencyKey });
            idempotencyKeys.delete(name);
            return response;
        } catch (error) {
            if (error instanceof ApiError && REFUSALS.includes(error.status)) idempotencyKeys.delete(name);
            throw error;
        }
    }

    /** Replaces the key, and keeps the new one as the old one was kept. */
    async replaceKey() {
        this.#replacing = true;
        for (let failures = 0; ;) {
            try {
                // The client keeps its Idempotency-Key until then: the next attempt gets the same new key.
                const key = await this.client.replaceApiKey();
                this.#key = key;
                this.#replacing = false;
                if (Session.storedKey() !== null) Session.remember(key);
                return key;
            } catch (error) {
                const isLost = error instanceof ConnectionError || (error instanceof ApiError && error.status >= 500);
                if (!isLost || ++failures === REPLACEMENTS_MAX) throw error;
                await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** failures));
            }
        }
    }

    /**
     * @param {RequestInfo | URL} url
     * @param {RequestInit} [init]
     */
    async #fetch(url, init) {
        let response;
        try {
            response = await fetch(url, init);
        } catch (error) {
            if (!init?.signal?.aborted) this.#tell(false);
            throw error;
        }
        this.#tell(response.status < 500);
        const [, left, seconds] = /;r=(\d+);t=(\d+)/.exec(response.headers.get("RateLimit") ?? "") ?? [];
        if (left !== undefined) this.rate = { left: Number(left), seconds: Number(seconds) };
        if (response.status === 429) {
            const wait = Number(response.headers.get("Retry-After") ?? 1);
            this.dispatchEvent(new CustomEvent("waiting", { detail: wait }));
        }
        // While the key is replaced, and after it, requests with the old one are refused.
        const isCurrent =
            new Headers(init?.headers).get("Authorization") === `Bearer ${this.#key}` &&
            (!this.#replacing || String(url).endsWith("/account/api-key"));
        if (response.status === 401 && isCurrent && !this.#closed) this.dispatchEvent(new Event("refused"));
        return response;
    }

    /** @param {boolean} reachable */
    #tell(reachable) {
        if (this.#closed) return;
        if (reachable === this.#reachable) return;
        this.#reachable = reachable;
        this.dispatchEvent(new Event(reachable ? "reachable" : "unreachable"));
    }
}

/**
 * The text that the browser keeps under a name; null if there is none, or if the browser refuses storage.
 *
 * @param {"localStorage" | "sessionStorage"} area
 * @param {string} name
 */
export function kept(area, name) {
    try {
        return window[area].getItem(name);
    } catch {
        return null;
    }
}

/**
 * Keeps a text in the browser; null removes it. Returns false if the browser refuses.
 *
 * @param {"localStorage" | "sessionStorage"} area
 * @param {string} name
 * @param {string | null} text
 */
export function keep(area, name, text) {
    try {
        if (text === null) window[area].removeItem(name);
        else window[area].setItem(name, text);
        return true;
    } catch {
        return false;
    }
}

/** @param {Blob} blob @returns {Promise<string>} */
export function dataUrl(blob) {
    return new Promise((resolve, reject) => {
        const reader = new FileReader();
        reader.onload = () => resolve(String(reader.result));
        reader.onerror = () => reject(reader.error);
        reader.readAsDataURL(blob);
    });
}

/**
 * What an error says to the user: the message of the error body.
 *
 * @param {unknown} error
 */
export function messageOf(error) {
    if (error instanceof ApiError) return inWords(error.errorMessage);
    if (error instanceof ConnectionError) return "The service cannot be reached.";
    return error instanceof Error ? error.message : String(error);
}

/** What the API says of its members, for someone who sees fields. @type {[RegExp, (...found: string[]) => string][]} */
const WORDS = [
    [
        /^ttl_seconds must be at most (\d+)/,
        (_, most) => `Your plan allows a lifetime of at most ${span(Number(most) * 1000)}`,
    ],
    [
        /^send\.to /,
        () => "This is not a complete e-mail address. It needs a name, an @ and a domain, as in ada@example.org",
    ],
    [/^send\.subject /, () => "The subject is too long, or has characters that a subject cannot have"],
    [/^send\.attachments\[(\d+)\]\S* (.*)/, (_, index, rest) => `Attachment ${Number(index) + 1} ${rest}`],
    [/^label (.*)/, (_, rest) => `The label ${rest}`],
    [/^send (.*)/, (_, rest) => `The e-mail ${rest}`],
    [/^the body must have at most /, () => "The e-mail is larger than your plan allows"],
];

/** @param {string} message */
function inWords(message) {
    const text = message.replace(/(\d+) bytes/, (_, number) => bytes(Number(number)));
    for (const [pattern, words] of WORDS) {
        const found = pattern.exec(text);
        if (found) return words(...found);
    }
    return text;
}

/**
 * A failed request, for the user: with a link if the remedy is to upgrade.
 *
 * @param {unknown} error
 */
export function problem(error) {
    const upgrade = error instanceof ApiError ? error.upgradeUrl : undefined;
    const link =
        upgrade && /^https?:/.test(upgrade)
            ? h("a", { href: upgrade, target: "_blank", rel: "noopener noreferrer" }, "See the plans")
            : null;
    const isUsedUp = error instanceof ApiError && error.status === 402;
    return h(
        "p",
        { class: "problem", role: "alert" },
        sentence(messageOf(error)),
        link && " ",
        link,
        isUsedUp ? [" ", h("a", { href: "#/account" }, "Buy credits")] : null,
    );
}

/** The message as a sentence. The name of a member stays as it is. @param {string} message */
function sentence(message) {
    const isNamed = /^\S*[._]/.test(message);
    return (
        (isNamed ? message : message.charAt(0).toUpperCase() + message.slice(1)) + (/[.!?]$/.test(message) ? "" : ".")
    );
}

/** Repeats work with pauses until it is stopped; with longer ones while the page is hidden. */
export class Poll {
    #stopped = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;
    #running = false;

    /**
     * @param {Session} session
     * @param {number} ms the pause after each time; longer if the rate limit is nearly reached
     * @param {() => Promise<void>} work
     */
    constructor(session, ms, work) {
        this.session = session;
        this.ms = ms;
        this.work = work;
        this.onVisible = () => {
            if (!document.hidden) this.now();
        };
        document.addEventListener("visibilitychange", this.onVisible);
        this.#schedule();
    }

    /** Runs at once, unless it is running. */
    now() {
        if (this.#running || this.#stopped) return;
        clearTimeout(this.#timer);
        void this.#run();
    }

    stop() {
        this.#stopped = true;
        clearTimeout(this.#timer);
        document.removeEventListener("visibilitychange", this.onVisible);
    }

    async #run() {
        this.#running = true;
        try {
            await this.work();
        } finally {
            this.#running = false;
            this.#schedule();
        }
    }

    #schedule() {
        if (this.#stopped) return;
        const { left, seconds } = this.session.rate;
        const ms = left < 5 ? Math.max(this.ms, seconds * 1000) : this.ms;
        this.#timer = setTimeout(
            () => {
                this.now();
            },
            document.hidden ? Math.max(ms, HIDDEN_MS) : ms,
        );
    }
}
