/**
 * What two services must agree on: the address id, the events and their topics, trace contexts, names of settings,
 * and the database migrations (in {@code db/migration} on the class path; only api-service runs them).
 */
@NullMarked
package dev.oneshot.contracts;

import org.jspecify.annotations.NullMarked;
