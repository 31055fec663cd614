/**
 * A client of oneshot: e-mail addresses that receive exactly one e-mail, or send exactly one.
 *
 * @packageDocumentation
 */
import { Client, type ClientOptions } from "./client.js";
import { Email } from "./email.js";

export type { Authentication, AuthenticationResult } from "./authentication.js";
export {
    type AddressFilter,
    type AddressRef,
    type AwaitOptions,
    type CallOptions,
    type ClientOptions,
    type CreateOptions,
    fileToSend,
} from "./client.js";
export type { Code } from "./codes.js";
export { Email } from "./email.js";
export {
    AddressExpiredError,
    ApiError,
    AwaitTimeoutError,
    ConnectionError,
    type ErrorDetails,
    NotFoundError,
    OneshotError,
} from "./errors.js";
export type { Link } from "./links.js";
export type * from "./types.js";

/**
 * A client of the service for one account. It waits when the rate limit is reached, makes at most 3 attempts when the
 * service fails or a connection breaks, and repeats no request that could do harm.
 *
 * Each call rejects with an {@link OneshotError}, or with the reason of its signal.
 *
 * @example
 * const client = new OneshotClient({ baseUrl: "http://127.0.0.1:8080/v1", apiKey });
 * const inbox = await client.createAddress({ ttl_seconds: 600, label: "sign-up" });
 * await signUp(inbox.address);
 * const email = await client.awaitEmail(inbox);
 * console.log(email.codes()[0]?.value);
 */
export class OneshotClient extends Client<Email> {
    /** @throws TypeError if there is no base URL or no API key, or an option is out of bounds */
    constructor(options: ClientOptions = {}) {
        super(options, (content) => new Email(content));
    }
}
