/**
 * What the benchmarks measure the services against: the same SMTP server with a sink that discards, and an endpoint
 * that does nothing. Started by the benchmarks only, so that no service needs a switch for them.
 */
@NullMarked
package dev.oneshot.local.ceilings;

import org.jspecify.annotations.NullMarked;
