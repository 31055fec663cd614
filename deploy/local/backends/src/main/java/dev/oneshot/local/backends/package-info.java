/**
 * A PostgreSQL server and a Kafka broker from Maven artifacts, on loopback and without Docker, for the local stack
 * and the tests.
 */
@NullMarked
package dev.oneshot.local.backends;

import org.jspecify.annotations.NullMarked;
