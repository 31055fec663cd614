export class OneshotError extends Error {
    constructor(message, options) {
        super(message, options);
        this.name = new.target.name;
    }
}
export class ConnectionError extends OneshotError {
}
export class AwaitTimeoutError extends OneshotError {
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
}
export class NotFoundError extends ApiError {
}
export class AddressExpiredError extends ApiError {
}
