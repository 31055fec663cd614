/** Deleting what has expired, and what readers and writers notice of it. */
@NullMarked
package dev.oneshot.local.bench.expiry;

import org.jspecify.annotations.NullMarked;
