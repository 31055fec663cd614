/**
 * Sweeps expired rows in bounded batches, each in one transaction. Replicas and workers share the rows by SKIP
 * LOCKED: none waits for a row, and none sweeps a row twice.
 */
@NullMarked
package dev.oneshot.expiry.sweep;

import org.jspecify.annotations.NullMarked;
