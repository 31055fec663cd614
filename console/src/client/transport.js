import { AddressExpiredError, ApiError, ConnectionError, NotFoundError, OneshotError } from "./errors.js";
import { pause, within } from "./time.js";
const ATTEMPTS = 3;
const FIRST_BACKOFF_MS = 250;
const ERROR_BYTES_MAX = 64 * 1024;
const noResponse = { status: 0, retryAfterSeconds: undefined };
export class Transport {
    baseUrl;
    apiKey;
    fetch;
    bounds;
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
                    if (exchange.repeatable === false || failures === ATTEMPTS)
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
        return this.send(exchange, signal, (response) => this.readJson(response, check));
    }
    async readJson(response, check) {
        const body = await readAtMost(response, this.bounds.responseBytesMax);
        if (body === undefined) {
            throw new OneshotError(`the response has more than ${this.bounds.responseBytesMax} bytes`);
        }
        let value;
        try {
            value = JSON.parse(body);
        }
        catch (cause) {
            throw new OneshotError("the response is not JSON", { cause });
        }
        return check(value, "response");
    }
    stream(exchange, signal) {
        return this.send(exchange, signal, async (response) => {
            const source = (response.body ?? new Blob().stream()).getReader();
            return new ReadableStream({
                pull: async (controller) => {
                    try {
                        const { done, value } = await this.limited(signal, () => source.read());
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
        return this.limited(signal, async (limit) => {
            const response = await this.fetch(this.baseUrl + exchange.path, {
                method: exchange.method,
                headers,
                body: exchange.body === undefined ? null : JSON.stringify(exchange.body),
                redirect: "manual",
                cache: "no-store",
                credentials: "omit",
                signal: limit,
            });
            if (!response.ok && response.status !== 304)
                throw await failure(response);
            return await read(response);
        });
    }
    async limited(signal, step) {
        const ms = this.bounds.requestTimeoutMs;
        try {
            return await within(ms, signal, () => new ConnectionError(`no response from ${this.baseUrl} within ${ms} ms`), step);
        }
        catch (error) {
            if (signal?.aborted)
                throw signal.reason;
            if (error instanceof OneshotError)
                throw error;
            throw new ConnectionError(`the connection to ${this.baseUrl} failed: ${reasonOf(error)}`, { cause: error });
        }
    }
}
function reasonOf(error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return cause instanceof Error ? cause.message : String(cause);
}
async function failure(response) {
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
        errorMessage: typeof message === "string" ? message : "the response has no error body",
        requestId: headers.get("X-Request-Id") ?? undefined,
        upgradeUrl: typeof upgrade_url === "string" ? upgrade_url : undefined,
        retryAfterSeconds: seconds >= 0 ? seconds : undefined,
    });
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
