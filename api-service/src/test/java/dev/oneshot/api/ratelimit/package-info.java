/** Rates of accounts. */
@NullMarked
package dev.oneshot.api.ratelimit;

import org.jspecify.annotations.NullMarked;
