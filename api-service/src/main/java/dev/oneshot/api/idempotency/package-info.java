/**
 * Requests that may be sent more than once and have their effect once: the answer is kept in the transaction of the
 * effect, under the caller's {@code Idempotency-Key}.
 */
@NullMarked
package dev.oneshot.api.idempotency;

import org.jspecify.annotations.NullMarked;
