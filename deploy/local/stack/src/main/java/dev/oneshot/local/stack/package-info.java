/**
 * The whole of oneshot on one machine: backends and the four packaged services as processes of their own, started,
 * watched and stopped together. Behind {@code ./oneshot}, and under the end-to-end tests.
 */
@NullMarked
package dev.oneshot.local.stack;

import org.jspecify.annotations.NullMarked;
