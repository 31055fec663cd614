import * as checks from "./checks.js";
import { ApiError, AwaitTimeoutError, ConnectionError, OneshotError } from "./errors.js";
import { pause, within } from "./time.js";
import { Transport } from "./transport.js";
import type {
    Account,
    Address,
    CreateAddress,
    CreatedAddress,
    CreditsAdded,
    EmailContent,
    Mode,
    Send,
    SendAttachment,
    Status,
} from "./types.js";

const DEFAULT_WAIT_MS = 20_000;
const FIRST_PAUSE_MS = 250;
const PAUSE_MAX_MS = 2_000;
/** The last poll begins when the time is up, and the e-mail is read after it. */
const LAST_POLL_MS = 2_000;
const TIMEOUT_MAX_MS = 86_400_000;

/** What a client is made with. */
export interface ClientOptions {
    /** The URL up to the version, as in `https://mail.example.com/v1`; by default the environment variable ONESHOT_BASE_URL. */
    baseUrl?: string | undefined;
    /** The API key of the account; by default the environment variable ONESHOT_API_KEY. */
    apiKey?: string | undefined;
    /** Milliseconds that one attempt of a request may take, and each read of a download; 30000 by default, at most a day. */
    requestTimeoutMs?: number | undefined;
    /** Milliseconds that one request may wait in all for the rate limit and between attempts; 60000 by default, at most a day. */
    rateLimitWaitMs?: number | undefined;
    /** The largest JSON body that is read, in bytes; 64 MiB by default. Streams have no bound. */
    responseBytesMax?: number | undefined;
    /** Sends the requests; the `fetch` of the platform by default. */
    fetch?: typeof globalThis.fetch | undefined;
}

/** Options that each call takes. */
export interface CallOptions {
    /** Ends the call, with the signal's reason as the error. */
    signal?: AbortSignal | undefined;
}

/** Options of calls that create something. */
export interface CreateOptions extends CallOptions {
    /** Names the request for 24 hours, at most 255 characters: repeated, it creates nothing. A random one by default. */
    idempotencyKey?: string | undefined;
}

/** Options of {@link OneshotClient.awaitEmail}. */
export interface AwaitOptions extends CallOptions {
    /** Milliseconds to wait; 20000 by default, as a Playwright test has 30 s; at most a day. With 0 there is one poll. */
    timeoutMs?: number | undefined;
}

/** Which addresses to list; all without a member. */
export interface AddressFilter {
    status?: Status | undefined;
    /** The whole label. */
    label?: string | undefined;
    mode?: Mode | undefined;
    /** How many addresses each request fetches, 1 to 100; 100 by default. */
    limit?: number | undefined;
}

/** An address, or its id, or its full e-mail address. */
export type AddressRef = string | { readonly id: string };

/**
 * All requests of {@link OneshotClient}. What reads e-mails is not imported, so that a web page can load its table of words later.
 *
 * @typeParam E what the content of an e-mail becomes
 */
export class Client<E> {
    readonly #transport: Transport;
    readonly #emailOf: (content: EmailContent) => E;
    /** The idempotency key of the next replacement of the API key. */
    #replacement = randomKey();

    /** @throws TypeError if there is no base URL or no API key, or an option is out of bounds */
    constructor(options: ClientOptions, emailOf: (content: EmailContent) => E) {
        this.#emailOf = emailOf;
        const baseUrl = given("baseUrl", options.baseUrl, "ONESHOT_BASE_URL");
        if (!/^https?:\/\/[^\s?#]+$/.test(baseUrl)) {
            throw new TypeError(`the base URL must be as in https://mail.example.com/v1, not ${baseUrl}`);
        }
        const apiKey = given("apiKey", options.apiKey, "ONESHOT_API_KEY");
        // The platform would show the key in its error.
        if (!/^[!-~]+$/.test(apiKey)) throw new TypeError("the API key has other characters than visible ASCII");
        this.#transport = new Transport(
            baseUrl.replace(/\/+$/, ""),
            apiKey,
            options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
            {
                requestTimeoutMs: timeoutOf("requestTimeoutMs", options.requestTimeoutMs ?? 30_000, 1),
                rateLimitWaitMs: timeoutOf("rateLimitWaitMs", options.rateLimitWaitMs ?? 60_000),
                responseBytesMax: options.responseBytesMax ?? 64 * 1024 * 1024,
            },
        );
    }

    /**
     * Creates an address that receives one e-mail, or with `mode: "send"` sends one at once.
     *
     * @throws ApiError `VALIDATION_ERROR` if a value is out of bounds or more than the plan allows
     * @throws ApiError `QUOTA_EXCEEDED` if allocation and credits are used up
     * @example const inbox = await client.createAddress({ ttl_seconds: 600 });
     */
    async createAddress(request: CreateAddress = {}, options: CreateOptions = {}): Promise<CreatedAddress> {
        return this.#create("/addresses", request, options, checks.createdAddress);
    }

    /**
     * Sends an e-mail from a new address.
     *
     * @param request the lifetime and the label of the address
     * @throws ApiError as {@link createAddress}, and if the e-mail or an attachment is larger than the plan allows
     * @example await client.sendEmail({ to: "ada@example.org", subject: "Hello", text_body: "It works." });
     */
    async sendEmail(
        send: Send,
        request: Pick<CreateAddress, "ttl_seconds" | "label"> = {},
        options: CreateOptions = {},
    ): Promise<CreatedAddress> {
        return this.createAddress({ ...request, mode: "send", send }, options);
    }

    /**
     * Reads the state of an address, and the summary of its e-mail.
     *
     * @throws NotFoundError if there is no such address
     * @throws AddressExpiredError if it has expired
     * @example const { status } = await client.getAddress(inbox);
     */
    async getAddress(address: AddressRef, options: CallOptions = {}): Promise<Address> {
        return this.#transport.json({ method: "GET", path: pathOf(address) }, options.signal, checks.address);
    }

    /**
     * Lists addresses, newest first. Each page is fetched when it is needed.
     *
     * @throws ApiError `VALIDATION_ERROR` if the filter has an invalid value
     * @example for await (const { address, status } of client.listAddresses({ label: "sign-up" })) console.log(address, status);
     */
    async *listAddresses(
        filter: AddressFilter = {},
        options: CallOptions = {},
    ): AsyncGenerator<Address, void, undefined> {
        const query = new URLSearchParams({ limit: "100" });
        for (const [name, value] of Object.entries(filter)) {
            if (value !== undefined && value !== null) query.set(name, String(value));
        }
        for (;;) {
            const page = await this.#transport.json(
                { method: "GET", path: `/addresses?${query}` },
                options.signal,
                checks.addressPage,
            );
            yield* page.items;
            if (page.next_cursor === null) return;
            if (page.next_cursor === query.get("cursor")) {
                throw new OneshotError("the list does not end: next_cursor is the cursor of the request");
            }
            query.set("cursor", page.next_cursor);
        }
    }

    /**
     * Deletes an address and its e-mail at once.
     *
     * @throws NotFoundError if there is no such address
     * @example await client.deleteAddress(inbox);
     */
    async deleteAddress(address: AddressRef, options: CallOptions = {}): Promise<void> {
        await this.#transport.send({ method: "DELETE", path: pathOf(address) }, options.signal, nothing);
    }

    /**
     * Deletes all addresses with this label, and their e-mail. It is no error if there are none.
     *
     * @param label 1 to 255 characters
     * @throws TypeError if it is empty or no string; nothing is deleted then
     * @throws ApiError `VALIDATION_ERROR` if it is too long; nothing is deleted then
     * @example await client.deleteAddressesByLabel("sign-up");
     */
    async deleteAddressesByLabel(label: string, options: CallOptions = {}): Promise<void> {
        if (typeof label !== "string" || label === "") {
            throw new TypeError(`label must be a string of 1 to 255 characters, not ${shown(label)}; nothing is deleted`);
        }
        const query = new URLSearchParams({ label });
        await this.#transport.send({ method: "DELETE", path: `/addresses?${query}` }, options.signal, nothing);
    }

    /**
     * Waits until the address has its e-mail, and returns it. Polls at once, after 0.25 s, and then with exponential
     * backoff up to each 2 s, with jitter. All waits of a client together use at most four fifths of the account's rate. It goes on
     * after a broken connection, a time-out or an error 5xx, until the time is up. If the service is slow, it may take 2 s more than
     * `timeoutMs`.
     *
     * @throws AwaitTimeoutError if none arrived in time; its message says what was seen
     * @throws AddressExpiredError if the address expired before
     * @throws NotFoundError if there is no such address, or it was deleted
     * @throws TypeError if the address is in send mode, as it never receives
     * @example const email = await client.awaitEmail(inbox, { timeoutMs: 10_000, signal });
     */
    async awaitEmail(address: AddressRef, options: AwaitOptions = {}): Promise<E> {
        const path = pathOf(address);
        const ms = timeoutOf("timeoutMs", options.timeoutMs ?? DEFAULT_WAIT_MS);
        let polls = 0;
        let seen = "no response";
        let received = false;
        let failure: OneshotError | undefined;
        const late = (last = failure) =>
            received && last
                ? last
                : new AwaitTimeoutError(
                      `no e-mail at ${path.slice(11)} within ${ms} ms; seen in ${polls} polls: ${seen}` +
                          (last ? `; the last poll failed: ${last.message}` : ""),
                      last && { cause: last },
                  );
        // Pauses between polls end with the time, so that a poll is cut off.
        const cutOff = () => late(new ConnectionError(`reading ${path} took too long`));
        const end = performance.now() + ms;
        return within(ms + LAST_POLL_MS, options.signal, cutOff, async (signal) => {
            let etag: string | undefined;
            for (let next = FIRST_PAUSE_MS; ; next = Math.min(next * 2, PAUSE_MAX_MS)) {
                await pause(Math.min(this.#transport.pacing.turn(), end) - performance.now(), signal);
                polls++;
                const exchange = { method: "GET", path, etag } as const;
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
                    if (received) return await this.getEmail(address, { signal });
                    failure = undefined;
                } catch (error) {
                    if (signal.aborted || !mayPass(error)) throw error;
                    failure = error;
                }
                const left = end - performance.now();
                if (left <= 0) throw late();
                await pause(Math.min(left, next * (0.8 + Math.random() * 0.4)), signal);
            }
        });
    }

    /**
     * Reads the e-mail of an address.
     *
     * @throws NotFoundError if none has arrived yet, or there is no such address
     * @throws AddressExpiredError if the address has expired
     * @example const { subject, text_body } = await client.getEmail(inbox);
     */
    async getEmail(address: AddressRef, options: CallOptions = {}): Promise<E> {
        const path = `${pathOf(address)}/email`;
        return this.#emailOf(await this.#transport.json({ method: "GET", path }, options.signal, checks.emailContent));
    }

    /**
     * Downloads the e-mail as it was received (RFC 5322), with the trace fields of the service in front.
     *
     * @throws NotFoundError and AddressExpiredError as {@link getEmail}
     * @returns a stream of bytes, to be read to its end or cancelled; it fails with a {@link ConnectionError} if the download
     *     breaks, or no byte comes within `requestTimeoutMs`
     * @example const source = await new Response(await client.getRawEmail(inbox)).text();
     */
    async getRawEmail(address: AddressRef, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
        return this.#transport.stream({ method: "GET", path: `${pathOf(address)}/email/raw` }, options.signal);
    }

    /**
     * Downloads the decoded content of an attachment.
     *
     * @param index its position in the e-mail, from 0
     * @throws NotFoundError if the e-mail has no such attachment, and as {@link getEmail}
     * @returns a stream of bytes, to be read to its end or cancelled; it fails with a {@link ConnectionError} if the download
     *     breaks, or no byte comes within `requestTimeoutMs`
     * @example const bytes = await new Response(await client.getAttachment(inbox, 0)).arrayBuffer();
     */
    async getAttachment(
        address: AddressRef,
        index: number,
        options: CallOptions = {},
    ): Promise<ReadableStream<Uint8Array>> {
        if (!Number.isSafeInteger(index) || index < 0) throw new TypeError("index must be an integer of at least 0");
        return this.#transport.stream(
            { method: "GET", path: `${pathOf(address)}/email/attachments/${index}` },
            options.signal,
        );
    }

    /**
     * Reads the account: plan, limits, usage and credits.
     *
     * @example const { used, monthly_allocation } = await client.getAccount();
     */
    async getAccount(options: CallOptions = {}): Promise<Account> {
        return this.#transport.json({ method: "GET", path: "/account" }, options.signal, checks.account);
    }

    /**
     * Buys credits, which pay for addresses when the allocation is used up.
     *
     * @param credits 1 to 1,000,000
     * @throws ApiError `VALIDATION_ERROR` if the number is out of bounds
     * @example const { credits } = await client.buyCredits(500);
     */
    async buyCredits(credits: number, options: CreateOptions = {}): Promise<CreditsAdded> {
        return this.#create("/account/credits", { credits }, options, checks.creditsAdded);
    }

    /**
     * Replaces the API key. This client uses the new key from then on; the old one becomes invalid within a second. If the response
     * is lost, the request is repeated with the same idempotency key, which gets the same new key for ten minutes, also by a
     * further call of this method.
     *
     * @returns the new key; it is shown this once
     * @example await store(await client.replaceApiKey());
     */
    async replaceApiKey(options: CreateOptions = {}): Promise<string> {
        const idempotencyKey = options.idempotencyKey ?? this.#replacement;
        const { api_key } = await this.#create("/account/api-key", {}, { ...options, idempotencyKey }, checks.apiKey);
        this.#transport.apiKey = api_key;
        this.#replacement = randomKey();
        return api_key;
    }

    async #create<T>(path: string, body: unknown, options: CreateOptions, check: checks.Check<T>): Promise<T> {
        const idempotencyKey = options.idempotencyKey ?? randomKey();
        return this.#transport.json({ method: "POST", path, body, idempotencyKey }, options.signal, check);
    }
}

/**
 * Makes an attachment of bytes.
 *
 * @param content_type a media type, such as `application/pdf`
 * @example fileToSend("hello.txt", "text/plain", new TextEncoder().encode("Hello"))
 */
export function fileToSend(filename: string, content_type: string, content: Uint8Array): SendAttachment {
    let octets = "";
    for (let from = 0; from < content.length; from += 0x2000) {
        octets += String.fromCharCode(...content.subarray(from, from + 0x2000));
    }
    return { filename, content_type, content_base64: btoa(octets) };
}

/** The path of an address. An id is checked, as `..` or an empty one would name something else. */
function pathOf(address: AddressRef): string {
    const ref: unknown = typeof address === "string" ? address : (address as typeof address | undefined | null)?.id;
    const id = typeof ref === "string" ? ref.replace(/@.*/s, "") : "";
    if (!/^[0-9A-Za-z]{1,64}$/.test(id)) throw new TypeError(`not the id of an address: ${shown(ref)}`);
    return `/addresses/${id}`;
}

function shown(value: unknown): string {
    return JSON.stringify(value) ?? String(value);
}

/** Whether the same request may succeed later, as after an outage. */
function mayPass(error: unknown): error is OneshotError {
    return error instanceof ConnectionError || (error instanceof ApiError && error.status >= 500);
}

function timeoutOf(name: string, ms: number, min = 0): number {
    if (!(ms >= min && ms <= TIMEOUT_MAX_MS)) {
        throw new TypeError(`${name} must be between ${min} and ${TIMEOUT_MAX_MS}`);
    }
    return ms;
}

/** An option, or its environment variable where there are such. */
function given(option: string, value: string | undefined, variable: string): string {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
    const found = value ?? process?.env?.[variable];
    if (!found) throw new TypeError(`there is no ${option}: give it to the client, or set ${variable}`);
    return found;
}

/** Not `randomUUID`, which browsers have on https only. */
function randomKey(): string {
    return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
        "",
    );
}

function nothing(): Promise<void> {
    return Promise.resolve();
}
