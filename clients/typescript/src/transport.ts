import type { Check } from "./checks.js";
import { AddressExpiredError, ApiError, ConnectionError, NotFoundError, OneshotError } from "./errors.js";
import { pause, PollPacing, within } from "./time.js";

const ATTEMPTS = 3;
const FIRST_BACKOFF_MS = 250;
const ERROR_BYTES_MAX = 64 * 1024;
const noResponse = { status: 0, retryAfterSeconds: undefined };

/** A request, and whether it may be repeated. */
export interface Exchange {
    method: "GET" | "POST" | "DELETE";
    /** Below the base URL, with its query. */
    path: string;
    body?: unknown;
    idempotencyKey?: string;
    etag?: string | undefined;
}

/** Bounds of requests; see `ClientOptions`. */
export interface Bounds {
    requestTimeoutMs: number;
    rateLimitWaitMs: number;
    responseBytesMax: number;
}

/** Sends requests: attempts, waiting, bounds, and errors by type. */
export class Transport {
    readonly pacing = new PollPacing();

    constructor(
        private readonly baseUrl: string,
        public apiKey: string,
        private readonly fetch: typeof globalThis.fetch,
        private readonly bounds: Bounds,
    ) {}

    /** Repeats the request until it succeeds or waiting cannot help any more. To `read` the response is a part of each attempt. */
    async send<T>(
        exchange: Exchange,
        signal: AbortSignal | undefined,
        read: (response: Response) => Promise<T>,
    ): Promise<T> {
        let failures = 0;
        let waitedMs = 0;
        for (;;) {
            try {
                return await this.attempt(exchange, signal, read);
            } catch (error) {
                if (signal?.aborted) throw error;
                const { status, retryAfterSeconds } = error instanceof ApiError ? error : noResponse;
                if (status === 404 && exchange.method === "DELETE" && failures > 0) {
                    // An earlier attempt has deleted it, and its response was lost.
                    return await read(new Response(null, { status: 204 }));
                }
                let ms = (retryAfterSeconds ?? 0) * 1000;
                if (status >= 500 || error instanceof ConnectionError) {
                    failures++;
                    if (failures === ATTEMPTS) throw error;
                    ms = Math.max(ms, FIRST_BACKOFF_MS * 2 ** (failures - 1) * (0.5 + Math.random() / 2));
                } else if (status === 429 || (status === 409 && ms > 0)) {
                    // Up to a fifth more, so that concurrent clients do not all come back at once.
                    ms = Math.max(ms, 1000) * (1 + Math.random() / 5);
                } else {
                    throw error;
                }
                waitedMs += ms;
                if (waitedMs > this.bounds.rateLimitWaitMs) throw error;
                await pause(ms, signal);
            }
        }
    }

    /** Sends the request, and reads a body of JSON that passes the check. */
    json<T>(exchange: Exchange, signal: AbortSignal | undefined, check: Check<T>): Promise<T> {
        return this.send(exchange, signal, (response) => this.readJson(exchange, response, check));
    }

    /** Reads a body of JSON that passes the check. */
    async readJson<T>(exchange: Exchange, response: Response, check: Check<T>): Promise<T> {
        const body = await readAtMost(response, this.bounds.responseBytesMax);
        if (body === undefined) {
            const flaw = `has more than ${this.bounds.responseBytesMax} bytes`;
            throw new OneshotError(this.flawOf(exchange, response, flaw));
        }
        let value: unknown;
        try {
            value = JSON.parse(body);
        } catch (cause) {
            throw new OneshotError(this.flawOf(exchange, response, "is not JSON", body), { cause });
        }
        return check(value, `the response to ${this.requestOf(exchange)} is unusable: response`);
    }

    /** Sends the request, and returns the body as a stream. It fails when no byte comes for as long as a request may take. */
    stream(exchange: Exchange, signal: AbortSignal | undefined): Promise<ReadableStream<Uint8Array>> {
        return this.send(exchange, signal, async (response) => {
            const source = (response.body ?? new Blob().stream()).getReader();
            return new ReadableStream<Uint8Array>({
                pull: async (controller) => {
                    try {
                        const { done, value } = await this.limited(exchange, signal, () => source.read());
                        if (done) controller.close();
                        else controller.enqueue(value);
                    } catch (error) {
                        void source.cancel(error).catch(() => undefined);
                        throw error;
                    }
                },
                cancel: (reason) => source.cancel(reason),
            });
        });
    }

    private attempt<T>(
        exchange: Exchange,
        signal: AbortSignal | undefined,
        read: (response: Response) => Promise<T>,
    ): Promise<T> {
        const headers: Record<string, string> = { Authorization: `Bearer ${this.apiKey}` };
        if (exchange.body !== undefined) headers["Content-Type"] = "application/json";
        if (exchange.idempotencyKey !== undefined) headers["Idempotency-Key"] = exchange.idempotencyKey;
        if (exchange.etag !== undefined) headers["If-None-Match"] = exchange.etag;
        return this.limited(exchange, signal, async (limit) => {
            // A redirect is never followed: the key is for this service alone.
            const response = await this.fetch(this.baseUrl + exchange.path, {
                method: exchange.method,
                headers,
                body: exchange.body === undefined ? null : JSON.stringify(exchange.body),
                redirect: "manual",
                cache: "no-store",
                credentials: "omit",
                signal: limit,
            });
            this.pacing.learn(response.headers);
            if (!response.ok && response.status !== 304) throw await this.failure(exchange, response);
            // A page of a proxy is no success. An attachment may be one.
            if (isHtml(response) && !exchange.path.includes("/attachments/")) {
                void response.body?.cancel().catch(() => undefined);
                throw new OneshotError(this.flawOf(exchange, response, "is not of this API"));
            }
            return await read(response);
        });
    }

    /** Bounds a step in time; whatever breaks in it is a {@link ConnectionError}, unless it is the caller's abort. */
    private async limited<T>(
        exchange: Exchange,
        signal: AbortSignal | undefined,
        step: (limit: AbortSignal) => Promise<T>,
    ): Promise<T> {
        const ms = this.bounds.requestTimeoutMs;
        try {
            return await within(
                ms,
                signal,
                () => new ConnectionError(`${this.requestOf(exchange)} got no response within ${ms} ms`),
                step,
            );
        } catch (error) {
            if (signal?.aborted) throw signal.reason;
            if (error instanceof OneshotError) throw error;
            throw new ConnectionError(`${this.requestOf(exchange)} got no response: ${reasonOf(error)}`, {
                cause: error,
            });
        }
    }

    /** The error of a response that is not a success, also if its body is not the service's. */
    private async failure(exchange: Exchange, response: Response): Promise<ApiError> {
        const body = await readAtMost(response, ERROR_BYTES_MAX).catch(() => undefined);
        let error: { code?: unknown; message?: unknown; upgrade_url?: unknown } | undefined;
        try {
            error = (JSON.parse(body ?? "") as { error?: typeof error } | null)?.error;
        } catch {
            // A proxy's page, for example.
        }
        const { code, message, upgrade_url } = error ?? {};
        const { status, headers } = response;
        const seconds = Number(headers.get("Retry-After") ?? NaN);
        const type = status === 404 ? NotFoundError : status === 410 ? AddressExpiredError : ApiError;
        return new type({
            status,
            code: typeof code === "string" ? code : "UNKNOWN",
            errorMessage:
                typeof message === "string"
                    ? message + (status === 404 ? this.hint() : "")
                    : this.flawOf(exchange, response, "has no error body", body),
            requestId: headers.get("X-Request-Id") ?? undefined,
            upgradeUrl: typeof upgrade_url === "string" ? upgrade_url : undefined,
            retryAfterSeconds: seconds >= 0 ? seconds : undefined,
        });
    }

    private requestOf({ method, path }: Exchange): string {
        return `${method} ${this.baseUrl}${path}`;
    }

    /** A sentence about a response that is not the service's, with what may be the cause. */
    private flawOf(exchange: Exchange, response: Response, flaw: string, body = ""): string {
        const location = response.headers.get("Location");
        return (
            `the response to ${this.requestOf(exchange)} (${response.status}) ${flaw}` +
            (isHtml(response) || /^\s*</.test(body)
                ? ", but HTML, as from a proxy in front of the service or from another server"
                : "") +
            (location ? `; it redirects to ${location}, which is not followed` : "") +
            this.hint()
        );
    }

    private hint(): string {
        return /\/v[0-9]+$/.test(this.baseUrl) ? "" : `; the base URL ${this.baseUrl} does not end in /v1`;
    }
}

/** What the platform says; Node has it in the cause, and if all addresses of a host failed, only a code. */
function reasonOf(error: unknown): string {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    const { message, code } = cause instanceof Error ? (cause as Error & { code?: unknown }) : {};
    return message || String(code ?? cause);
}

function isHtml(response: Response): boolean {
    return /text\/html/i.test(response.headers.get("Content-Type") ?? "");
}

/** The body as text, or undefined if it has more bytes. */
async function readAtMost(response: Response, bytesMax: number): Promise<string | undefined> {
    if (response.body === null) return "";
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    let text = "";
    let bytes = 0;
    for (;;) {
        const { done, value } = await reader.read();
        if (done) return text + decoder.decode();
        bytes += value.length;
        if (bytes > bytesMax) {
            await reader.cancel();
            return undefined;
        }
        text += decoder.decode(value, { stream: true });
    }
}
