/**
 * How many requests an account may make: token buckets in the database, from which every replica takes some tokens
 * ahead, so that most requests cost no round trip.
 */
@NullMarked
package dev.oneshot.api.ratelimit;

import org.jspecify.annotations.NullMarked;
