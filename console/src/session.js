import { ApiError, ConnectionError, OneshotClient } from "./client/index.js";
import { h } from "./dom.js";

/** @typedef {import("./client/index.js").Account} Account */

const STORED = "oneshot.api-key";

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
    /** @type {OneshotClient} */
    client;
    /** @type {Account | undefined} */
    account;
    /** How many requests the rate limit leaves, and in how many seconds it is full again. */
    rate = { left: Infinity, seconds: 0 };
    #reachable = true;

    /** @param {string} key */
    constructor(key) {
        super();
        this.client = new OneshotClient({ baseUrl: API, apiKey: key, fetch: (url, init) => this.#fetch(url, init) });
    }

    /** The key of an earlier visit in this tab. */
    static storedKey() {
        return sessionStorage.getItem(STORED);
    }

    static forget() {
        sessionStorage.removeItem(STORED);
    }

    /** @param {string} key */
    static remember(key) {
        sessionStorage.setItem(STORED, key);
    }

    async readAccount() {
        this.account = await this.client.getAccount();
        this.dispatchEvent(new Event("account"));
        return this.account;
    }

    /** Replaces the key, and keeps the new one as the old one was kept. */
    async replaceKey() {
        const key = await this.client.replaceApiKey();
        if (Session.storedKey() !== null) Session.remember(key);
        return key;
    }

    /**
     * The content of a download.
     *
     * @param {ReadableStream<Uint8Array>} stream
     * @param {string} type
     */
    static blob(stream, type) {
        return new Response(stream, { headers: { "Content-Type": type } }).blob();
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
        if (response.status === 401) this.dispatchEvent(new Event("refused"));
        return response;
    }

    /** @param {boolean} reachable */
    #tell(reachable) {
        if (reachable === this.#reachable) return;
        this.#reachable = reachable;
        this.dispatchEvent(new Event(reachable ? "reachable" : "unreachable"));
    }
}

/**
 * What an error says to the user: the message of the error body.
 *
 * @param {unknown} error
 */
export function messageOf(error) {
    if (error instanceof ApiError) return error.errorMessage;
    if (error instanceof ConnectionError) return "The service cannot be reached.";
    return error instanceof Error ? error.message : String(error);
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
    return h("p", { class: "problem", role: "alert" }, sentence(messageOf(error)), link && " ", link);
}

/** The message as a sentence. The name of a member stays as it is. @param {string} message */
function sentence(message) {
    const isNamed = /^\S*[._]/.test(message);
    return (
        (isNamed ? message : message.charAt(0).toUpperCase() + message.slice(1)) + (/[.!?]$/.test(message) ? "" : ".")
    );
}

/** Repeats work with pauses while the page is visible, until it is stopped. */
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
        this.#timer = setTimeout(() => {
            // A hidden page asks for nothing, and catches up when it is shown.
            if (!document.hidden) this.now();
        }, ms);
    }
}
