/**
 * The chart's promises as tests: the real Helm engine installs it into a server that keeps what it is sent, and what
 * arrived there is examined.
 */
@NullMarked
package dev.oneshot.helm;

import org.jspecify.annotations.NullMarked;
