/**
 * A call that failed. Thrown itself if the response is broken, too large or not of this API.
 *
 * @example
 * try {
 *   await client.createAddress();
 * } catch (error) {
 *   if (error instanceof ApiError && error.code === "QUOTA_EXCEEDED") console.error(`Upgrade: ${error.upgradeUrl}`);
 *   throw error;
 * }
 */
export class OneshotError extends Error {
    constructor(message: string, options?: { cause?: unknown }) {
        super(message, options);
    }

    static {
        name(this, "OneshotError");
    }
}

/** No whole response at any of the attempts: the connection failed, or broke, or took too long. */
export class ConnectionError extends OneshotError {
    static {
        name(this, "ConnectionError");
    }
}

/**
 * No e-mail arrived in time. The message says what was seen: the address, its state, and how often it was read. The `cause` is the
 * failure of the last poll, if it failed.
 */
export class AwaitTimeoutError extends OneshotError {
    static {
        name(this, "AwaitTimeoutError");
    }
}

/** What an error response says. */
export interface ErrorDetails {
    status: number;
    code: string;
    errorMessage: string;
    requestId: string | undefined;
    upgradeUrl: string | undefined;
    retryAfterSeconds: number | undefined;
}

/** An error response of the service. Its `message` has all of it. */
export class ApiError extends OneshotError implements ErrorDetails {
    /** The HTTP status. */
    readonly status: number;
    /** The code of the error body, as in `VALIDATION_ERROR`; `UNKNOWN` if the response has none. */
    readonly code: string;
    /** The message of the error body, which names the member and its bound. */
    readonly errorMessage: string;
    /** The id of the request in the logs of the service (`X-Request-Id`). */
    readonly requestId: string | undefined;
    /** The URL of the pricing page; only with `QUOTA_EXCEEDED`. */
    readonly upgradeUrl: string | undefined;
    /** Whole seconds to wait before the next attempt (`Retry-After`). */
    readonly retryAfterSeconds: number | undefined;

    constructor(details: ErrorDetails) {
        const { status, code, errorMessage, requestId, upgradeUrl } = details;
        const more = (upgradeUrl ? `; see ${upgradeUrl}` : "") + (requestId ? ` [request ${requestId}]` : "");
        super(`${code} (${status}): ${errorMessage}${more}`);
        this.status = status;
        this.code = code;
        this.errorMessage = errorMessage;
        this.requestId = requestId;
        this.upgradeUrl = upgradeUrl;
        this.retryAfterSeconds = details.retryAfterSeconds;
    }

    static {
        name(this, "ApiError");
    }
}

/** There is no such address, e-mail or attachment (404), or not yet, or it belongs to another account. */
export class NotFoundError extends ApiError {
    static {
        name(this, "NotFoundError");
    }
}

/** The time of the address is up (410): it and its e-mail are deleted. Create a new address. */
export class AddressExpiredError extends ApiError {
    static {
        name(this, "AddressExpiredError");
    }
}

/** Gives the errors of a class their name, which is not that of the class after a minifier. */
function name(type: { prototype: Error }, value: string): void {
    Object.defineProperty(type.prototype, "name", { value, configurable: true, writable: true });
}
