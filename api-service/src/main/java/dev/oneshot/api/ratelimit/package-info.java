/**
 * How many requests an account may make: token buckets in the database, from which every replica leases some tokens
 * in advance, so that most requests cost no round trip.
 */
@NullMarked
package dev.oneshot.api.ratelimit;

import org.jspecify.annotations.NullMarked;
