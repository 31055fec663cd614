/** Tests of repeated requests. */
@NullMarked
package dev.oneshot.api.idempotency;

import org.jspecify.annotations.NullMarked;
