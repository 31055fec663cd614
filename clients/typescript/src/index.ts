/**
 * A client of oneshot: e-mail addresses that receive exactly one e-mail, or send exactly one.
 *
 * @packageDocumentation
 */
export type { Authentication, AuthenticationResult } from "./authentication.js";
export {
    type AddressFilter,
    type AddressRef,
    type AwaitOptions,
    type CallOptions,
    type ClientOptions,
    type CreateOptions,
    fileToSend,
    OneshotClient,
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
