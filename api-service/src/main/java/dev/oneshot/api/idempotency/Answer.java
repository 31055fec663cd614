package dev.oneshot.api.idempotency;

/**
 * An answer as it is kept.
 *
 * @param status of HTTP
 * @param body JSON: of the answer what the request does not say itself
 */
record Answer(int status, String body) {}
