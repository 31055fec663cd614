/** Requests that are sent more than once. */
@NullMarked
package dev.oneshot.api.idempotency;

import org.jspecify.annotations.NullMarked;
