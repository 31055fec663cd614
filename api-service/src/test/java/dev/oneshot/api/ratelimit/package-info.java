/** Tests of rate limits. */
@NullMarked
package dev.oneshot.api.ratelimit;

import org.jspecify.annotations.NullMarked;
