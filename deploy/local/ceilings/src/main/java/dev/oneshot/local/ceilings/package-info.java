/**
 * Servers that the benchmarks compare the services with: the SMTP server with a sink that discards, and an endpoint
 * that does nothing. A module of its own, so that no service needs a switch for them.
 */
@NullMarked
package dev.oneshot.local.ceilings;

import org.jspecify.annotations.NullMarked;
