/** Sending mail under load, with the relay that accepts it. */
@NullMarked
package dev.oneshot.local.bench.send;

import org.jspecify.annotations.NullMarked;
