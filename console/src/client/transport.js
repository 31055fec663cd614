import { AddressExpiredError, ApiError, ConnectionError, NotFoundError, OneshotError } from "./errors.js";
import { pause, PollPacing, within } from "./time.js";
const ATTEMPTS = 3;
const FIRST_BACKOFF_MS = 250;
const ERROR_BYTES_MAX = 64 * 1024;
const noResponse = { status: 0, retryAfterSeconds: undefined };
export class Transport {
    baseUrl;
    apiKey;
    fetch;
    bounds;
    pacing = new PollPacing();
    constructor(baseUrl, apiKey, fetch, bounds) {
        this.baseUrl = baseUrl;
        this.apiKey = apiKey;
        this.fetch = fetch;
        this.bounds = bounds;
    }
    async send(exchange, signal, read) {
        let failures = 0;
        let waitedMs = 0;
        for (;;) {
            try {
                return await this.attempt(exchange, signal, read);
            }
            catch (error) {
                if (signal?.aborted)
                    throw error;
                const { status, retryAfterSeconds } = error instanceof ApiError ? error : noResponse;
                if (status === 404 && exchange.method === "DELETE" && failures > 0) {
                    return await read(new Response(null, { status: 204 }));
                }
                let ms = (retryAfterSeconds ?? 0) * 1000;
                if (status >= 500 || error instanceof ConnectionError) {
                    failures++;
                    if (failures === ATTEMPTS)
                        throw error;
                    ms = Math.max(ms, FIRST_BACKOFF_MS * 2 ** (failures - 1) * (0.5 + Math.random() / 2));
                }
                else if (status === 429 || (status === 409 && ms > 0)) {
                    ms = Math.max(ms, 1000) * (1 + Math.random() / 5);
                }
                else {
                    throw error;
                }
                waitedMs += ms;
                if (waitedMs > this.bounds.rateLimitWaitMs)
                    throw error;
                await pause(ms, signal);
            }
        }
    }
    json(exchange, signal, check) {
        return this.send(exchange, signal, (response) => this.readJson(exchange, response, check));
    }
    async readJson(exchange, response, check) {
        const body = await readAtMost(response, this.bounds.responseBytesMax);
        if (body === undefined) {
            const flaw = `has more than ${this.bounds.responseBytesMax} bytes`;
            throw new OneshotError(this.flawOf(exchange, response, flaw));
        }
        let value;
        try {
            value = JSON.parse(body);
        }
        catch (cause) {
            throw new OneshotError(this.flawOf(exchange, response, "is not JSON", body), { cause });
        }
        return check(value, `the response to ${this.requestOf(exchange)} is unusable: response`);
    }
    stream(exchange, signal) {
        return this.send(exchange, signal, async (response) => {
            const source = (response.body ?? new Blob().stream()).getReader();
            return new ReadableStream({
                pull: async (controller) => {
                    try {
                        const { done, value } = await this.limited(exchange, signal, () => source.read());
                        if (done)
                            controller.close();
                        else
                            controller.enqueue(value);
                    }
                    catch (error) {
                        void source.cancel(error).catch(() => undefined);
                        throw error;
                    }
                },
                cancel: (reason) => source.cancel(reason),
            });
        });
    }
    attempt(exchange, signal, read) {
        const headers = { Authorization: `Bearer ${this.apiKey}` };
        if (exchange.body !== undefined)
            headers["Content-Type"] = "application/json";
        if (exchange.idempotencyKey !== undefined)
            headers["Idempotency-Key"] = exchange.idempotencyKey;
        if (exchange.etag !== undefined)
            headers["If-None-Match"] = exchange.etag;
        return this.limited(exchange, signal, async (limit) => {
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
            if (!response.ok && response.status !== 304)
                throw await this.failure(exchange, response);
            if (isHtml(response) && !exchange.path.includes("/attachments/")) {
                void response.body?.cancel().catch(() => undefined);
                throw new OneshotError(this.flawOf(exchange, response, "is not of this API"));
            }
            return await read(response);
        });
    }
    async limited(exchange, signal, step) {
        const ms = this.bounds.requestTimeoutMs;
        try {
            return await within(ms, signal, () => new ConnectionError(`${this.requestOf(exchange)} got no response within ${ms} ms`), step);
        }
        catch (error) {
            if (signal?.aborted)
                throw signal.reason;
            if (error instanceof OneshotError)
                throw error;
            throw new ConnectionError(`${this.requestOf(exchange)} got no response: ${reasonOf(error)}`, {
                cause: error,
            });
        }
    }
    async failure(exchange, response) {
        const body = await readAtMost(response, ERROR_BYTES_MAX).catch(() => undefined);
        let error;
        try {
            error = JSON.parse(body ?? "")?.error;
        }
        catch {
        }
        const { code, message, upgrade_url } = error ?? {};
        const { status, headers } = response;
        const seconds = Number(headers.get("Retry-After") ?? NaN);
        const type = status === 404 ? NotFoundError : status === 410 ? AddressExpiredError : ApiError;
        return new type({
            status,
            code: typeof code === "string" ? code : "UNKNOWN",
            errorMessage: typeof message === "string"
                ? message + (status === 404 ? this.hint() : "")
                : this.flawOf(exchange, response, "has no error body", body),
            requestId: headers.get("X-Request-Id") ?? undefined,
            upgradeUrl: typeof upgrade_url === "string" ? upgrade_url : undefined,
            retryAfterSeconds: seconds >= 0 ? seconds : undefined,
        });
    }
    requestOf({ method, path }) {
        return `${method} ${this.baseUrl}${path}`;
    }
    flawOf(exchange, response, flaw, body = "") {
        const location = response.headers.get("Location");
        return (`the response to ${this.requestOf(exchange)} (${response.status}) ${flaw}` +
            (isHtml(response) || /^\s*</.test(body)
                ? ", but HTML, as from a proxy in front of the service or from another server"
                : "") +
            (location ? `; it redirects to ${location}, which is not followed` : "") +
            this.hint());
    }
    hint() {
        return /\/v[0-9]+$/.test(this.baseUrl) ? "" : `; the base URL ${this.baseUrl} does not end in /v1`;
    }
}
function reasonOf(error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    const { message, code } = cause instanceof Error ? cause : {};
    return message || String(code ?? cause);
}
function isHtml(response) {
    return /text\/html/i.test(response.headers.get("Content-Type") ?? "");
}
async function readAtMost(response, bytesMax) {
    if (response.body === null)
        return "";
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    let text = "";
    let bytes = 0;
    for (;;) {
        const { done, value } = await reader.read();
        if (done)
            return text + decoder.decode();
        bytes += value.length;
        if (bytes > bytesMax) {
            await reader.cancel();
            return undefined;
        }
        text += decoder.decode(value, { stream: true });
    }
}
