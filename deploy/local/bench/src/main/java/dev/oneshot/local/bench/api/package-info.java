/** The REST API under load, and the HTTP client that loads it. */
@NullMarked
package dev.oneshot.local.bench.api;

import org.jspecify.annotations.NullMarked;
