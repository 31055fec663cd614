/** The time until a service is ready, and its memory at rest. */
@NullMarked
package dev.oneshot.local.bench.start;

import org.jspecify.annotations.NullMarked;
