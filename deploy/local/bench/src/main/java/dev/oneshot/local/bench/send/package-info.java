/** Sending under load: the whole way from the request to a relay of our own that discards, and what limits it. */
@NullMarked
package dev.oneshot.local.bench.send;

import org.jspecify.annotations.NullMarked;
