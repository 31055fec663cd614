/** Deleting expired mail, and its effect on readers and writers. */
@NullMarked
package dev.oneshot.local.bench.expiry;

import org.jspecify.annotations.NullMarked;
