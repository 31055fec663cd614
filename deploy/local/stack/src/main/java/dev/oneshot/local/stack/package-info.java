/**
 * Starts, watches and stops all of oneshot on one machine: the backends and the four packaged services as processes,
 * for {@code ./oneshot} and the end-to-end tests.
 */
@NullMarked
package dev.oneshot.local.stack;

import org.jspecify.annotations.NullMarked;
