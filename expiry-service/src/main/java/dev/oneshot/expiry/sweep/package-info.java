/**
 * Sweeps rows that have had their time, in bounded batches of one transaction each. Replicas and workers share the
 * rows by SKIP LOCKED: nobody waits for a row, and nobody does another's.
 */
@NullMarked
package dev.oneshot.expiry.sweep;

import org.jspecify.annotations.NullMarked;
