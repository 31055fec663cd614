/** Requests that may be sent more than once and have one effect, by their {@code Idempotency-Key}. */
@NullMarked
package dev.oneshot.api.idempotency;

import org.jspecify.annotations.NullMarked;
