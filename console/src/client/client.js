import * as checks from "./checks.js";
import { Email } from "./email.js";
import { AwaitTimeoutError, OneshotError } from "./errors.js";
import { pause, within } from "./time.js";
import { Transport } from "./transport.js";
const DEFAULT_WAIT_MS = 20_000;
const FIRST_PAUSE_MS = 250;
const PAUSE_MAX_MS = 2_000;
const LAST_POLL_MS = 2_000;
const TIMEOUT_MAX_MS = 86_400_000;
export class OneshotClient {
    #transport;
    constructor(options = {}) {
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
            if (value !== undefined)
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
        const query = new URLSearchParams({ label });
        await this.#transport.send({ method: "DELETE", path: `/addresses?${query}` }, options.signal, nothing);
    }
    async awaitEmail(address, options = {}) {
        const path = pathOf(address);
        const ms = timeoutOf("timeoutMs", options.timeoutMs ?? DEFAULT_WAIT_MS);
        let polls = 0;
        let seen = "no response";
        const late = () => new AwaitTimeoutError(`no e-mail at ${path.slice(11)} within ${ms} ms; seen in ${polls} polls: ${seen}`);
        const end = performance.now() + ms;
        return within(ms + LAST_POLL_MS, options.signal, late, async (signal) => {
            let etag;
            for (let next = FIRST_PAUSE_MS;; next = Math.min(next * 2, PAUSE_MAX_MS)) {
                polls++;
                const state = await this.#transport.send({ method: "GET", path, etag }, signal, async (response) => {
                    etag = response.headers.get("ETag") ?? undefined;
                    return response.status === 304
                        ? undefined
                        : await this.#transport.readJson(response, checks.address);
                });
                if (state !== undefined) {
                    if (state.mode === "send")
                        throw new TypeError(`${state.address} is in send mode and receives no e-mail`);
                    if (state.status === "received")
                        return await this.getEmail(address, { signal });
                    seen = `status ${state.status}, expires at ${state.expires_at}`;
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
        return new Email(await this.#transport.json({ method: "GET", path }, options.signal, checks.emailContent));
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
        const { api_key } = await this.#transport.json({ method: "POST", path: "/account/api-key", repeatable: false }, options.signal, checks.apiKey);
        this.#transport.apiKey = api_key;
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
    const id = (typeof address === "string" ? address : address.id).replace(/@.*/s, "");
    if (!/^[0-9A-Za-z]{1,64}$/.test(id))
        throw new TypeError(`not the id of an address: ${JSON.stringify(id)}`);
    return `/addresses/${id}`;
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
