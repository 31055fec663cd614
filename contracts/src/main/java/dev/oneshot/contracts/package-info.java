/**
 * What two services must agree on, and nothing else: the address id, the events with their topics and serialisation,
 * the trace they belong to, how settings are called in the environment, and the database migrations (in {@code db/migration} on the class path; only api-service
 * runs them).
 */
@NullMarked
package dev.oneshot.contracts;

import org.jspecify.annotations.NullMarked;
