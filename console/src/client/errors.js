export class OneshotError extends Error {
    constructor(message, options) {
        super(message, options);
    }
    static {
        name(this, "OneshotError");
    }
}
export class ConnectionError extends OneshotError {
    static {
        name(this, "ConnectionError");
    }
}
export class AwaitTimeoutError extends OneshotError {
    static {
        name(this, "AwaitTimeoutError");
    }
}
export class ApiError extends OneshotError {
    status;
    code;
    errorMessage;
    requestId;
    upgradeUrl;
    retryAfterSeconds;
    constructor(details) {
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
export class NotFoundError extends ApiError {
    static {
        name(this, "NotFoundError");
    }
}
export class AddressExpiredError extends ApiError {
    static {
        name(this, "AddressExpiredError");
    }
}
function name(type, value) {
    Object.defineProperty(type.prototype, "name", { value, configurable: true, writable: true });
}
