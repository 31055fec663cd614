export { fileToSend, OneshotClient, } from "./client.js";
export { Email } from "./email.js";
export { AddressExpiredError, ApiError, AwaitTimeoutError, ConnectionError, NotFoundError, OneshotError, } from "./errors.js";
