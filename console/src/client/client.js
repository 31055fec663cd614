import * as checks from "./checks.js";
import { ApiError, AwaitTimeoutError, ConnectionError, OneshotError } from "./errors.js";
import { pause, within } from "./time.js";
import { Transport } from "./transport.js";
const DEFAULT_WAIT_MS = 20_000;
const FIRST_PAUSE_MS = 250;
const PAUSE_MAX_MS = 2_000;
const LAST_POLL_MS = 2_000;
const TIMEOUT_MAX_MS = 86_400_000;
export class Client {
    #transport;
    #emailOf;
    #replacement = randomKey();
    constructor(options, emailOf) {
        this.#emailOf = emailOf;
        const baseUrl = given("baseUrl", options.baseUrl, "ONESHOT_BASE_URL");
        if (!/^https?:\/\/[^\s?#]+$/.test(baseUrl)) {
            throw new TypeError(`the base URL must be as in https://mail.example.com/v1, not ${baseUrl}`);
        }
        const apiKey = given("apiKey", options.apiKey, "ONESHOT_API_KEY");
        if (!/^[!-~]+$/.test(apiKey))
            throw new TypeError("the API key has other characters than visible ASCII");
        this.#transport = new Transport(baseUrl.replace(/\/+$/, ""), apiKey, options.fetch ?? ((input, init) => globalThis.fetch(input, init)), {
            requestTimeoutMs: timeoutOf("requestTimeoutMs", options.requestTimeoutMs ?? 30_000, 1),
            rateLimitWaitMs: timeoutOf("rateLimitWaitMs", options.rateLimitWaitMs ?? 60_000),
            responseBytesMax: options.responseBytesMax ?? 64 * 1024 * 1024,
        });
    }
    async createAddress(request = {}, options = {}) {
        return this.#create("/addresses", request, options, checks.createdAddress);
    }
    async sendEmail(send, request = {}, options = {}) {
        return this.createAddress({ ...request, mode: "send", send }, options);
    }
    async getAddress(address, options = {}) {
        return this.#transport.json({ method: "GET", path: pathOf(address) }, options.signal, checks.address);
    }
    async *listAddresses(filter = {}, options = {}) {
        const query = new URLSearchParams({ limit: "100" });
        for (const [name, value] of Object.entries(filter)) {
            if (value !== undefined && value !== null)
                query.set(name, String(value));
        }
        for (;;) {
            const page = await this.#transport.json({ method: "GET", path: `/addresses?${query}` }, options.signal, checks.addressPage);
            yield* page.items;
            if (page.next_cursor === null)
                return;
            if (page.next_cursor === query.get("cursor")) {
                throw new OneshotError("the list does not end: next_cursor is the cursor of the request");
            }
            query.set("cursor", page.next_cursor);
        }
    }
    async deleteAddress(address, options = {}) {
        await this.#transport.send({ method: "DELETE", path: pathOf(address) }, options.signal, nothing);
    }
    async deleteAddressesByLabel(label, options = {}) {
        if (typeof label !== "string" || label === "") {
            throw new TypeError(`label must be a string of 1 to 255 characters, not ${shown(label)}; nothing is deleted`);
        }
        const query = new URLSearchParams({ label });
        await this.#transport.send({ method: "DELETE", path: `/addresses?${query}` }, options.signal, nothing);
    }
    async awaitEmail(address, options = {}) {
        const path = pathOf(address);
        const ms = timeoutOf("timeoutMs", options.timeoutMs ?? DEFAULT_WAIT_MS);
        let polls = 0;
        let seen = "no response";
        let received = false;
        let failure;
        const late = (last = failure) => received && last
            ? last
            : new AwaitTimeoutError(`no e-mail at ${path.slice(11)} within ${ms} ms; seen in ${polls} polls: ${seen}` +
                (last ? `; the last poll failed: ${last.message}` : ""), last && { cause: last });
        const cutOff = () => late(new ConnectionError(`reading ${path} took too long`));
        const end = performance.now() + ms;
        return within(ms + LAST_POLL_MS, options.signal, cutOff, async (signal) => {
            let etag;
            for (let next = FIRST_PAUSE_MS;; next = Math.min(next * 2, PAUSE_MAX_MS)) {
                await pause(Math.min(this.#transport.pacing.turn(), end) - performance.now(), signal);
                polls++;
                const exchange = { method: "GET", path, etag };
                try {
                    const state = await this.#transport.send(exchange, signal, async (response) => {
                        etag = response.headers.get("ETag") ?? undefined;
                        return response.status === 304
                            ? undefined
                            : await this.#transport.readJson(exchange, response, checks.address);
                    });
                    if (state !== undefined) {
                        if (state.mode === "send")
                            throw new TypeError(`${state.address} is in send mode and receives no e-mail`);
                        received = state.status === "received";
                        seen = `status ${state.status}, expires at ${state.expires_at}`;
                    }
                    if (received)
                        return await this.getEmail(address, { signal });
                    failure = undefined;
                }
                catch (error) {
                    if (signal.aborted || !mayPass(error))
                        throw error;
                    failure = error;
                }
                const left = end - performance.now();
                if (left <= 0)
                    throw late();
                await pause(Math.min(left, next * (0.8 + Math.random() * 0.4)), signal);
            }
        });
    }
    async getEmail(address, options = {}) {
        const path = `${pathOf(address)}/email`;
        return this.#emailOf(await this.#transport.json({ method: "GET", path }, options.signal, checks.emailContent));
    }
    async getRawEmail(address, options = {}) {
        return this.#transport.stream({ method: "GET", path: `${pathOf(address)}/email/raw` }, options.signal);
    }
    async getAttachment(address, index, options = {}) {
        if (!Number.isSafeInteger(index) || index < 0)
            throw new TypeError("index must be an integer of at least 0");
        return this.#transport.stream({ method: "GET", path: `${pathOf(address)}/email/attachments/${index}` }, options.signal);
    }
    async getAccount(options = {}) {
        return this.#transport.json({ method: "GET", path: "/account" }, options.signal, checks.account);
    }
    async buyCredits(credits, options = {}) {
        return this.#create("/account/credits", { credits }, options, checks.creditsAdded);
    }
    async replaceApiKey(options = {}) {
        const idempotencyKey = options.idempotencyKey ?? this.#replacement;
        const { api_key } = await this.#create("/account/api-key", {}, { ...options, idempotencyKey }, checks.apiKey);
        this.#transport.apiKey = api_key;
        this.#replacement = randomKey();
        return api_key;
    }
    async #create(path, body, options, check) {
        const idempotencyKey = options.idempotencyKey ?? randomKey();
        return this.#transport.json({ method: "POST", path, body, idempotencyKey }, options.signal, check);
    }
}
export function fileToSend(filename, content_type, content) {
    let octets = "";
    for (let from = 0; from < content.length; from += 0x2000) {
        octets += String.fromCharCode(...content.subarray(from, from + 0x2000));
    }
    return { filename, content_type, content_base64: btoa(octets) };
}
function pathOf(address) {
    const ref = typeof address === "string" ? address : address?.id;
    const id = typeof ref === "string" ? ref.replace(/@.*/s, "") : "";
    if (!/^[0-9A-Za-z]{1,64}$/.test(id))
        throw new TypeError(`not the id of an address: ${shown(ref)}`);
    return `/addresses/${id}`;
}
function shown(value) {
    return JSON.stringify(value) ?? String(value);
}
function mayPass(error) {
    return error instanceof ConnectionError || (error instanceof ApiError && error.status >= 500);
}
function timeoutOf(name, ms, min = 0) {
    if (!(ms >= min && ms <= TIMEOUT_MAX_MS)) {
        throw new TypeError(`${name} must be between ${min} and ${TIMEOUT_MAX_MS}`);
    }
    return ms;
}
function given(option, value, variable) {
    const { process } = globalThis;
    const found = value ?? process?.env?.[variable];
    if (!found)
        throw new TypeError(`there is no ${option}: give it to the client, or set ${variable}`);
    return found;
}
function randomKey() {
    return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
function nothing() {
    return Promise.resolve();
}
