/**
 * A real PostgreSQL and a real Kafka broker from Maven artifacts, on loopback and without Docker: for the local stack
 * and for every test.
 */
@NullMarked
package dev.oneshot.local.backends;

import org.jspecify.annotations.NullMarked;
