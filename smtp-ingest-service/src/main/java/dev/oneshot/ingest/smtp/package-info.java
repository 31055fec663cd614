/**
 * The receiving side of SMTP (RFC 5321) as a state machine: octets in; replies and accepted mail transactions out. It
 * has no I/O, threads or clock, and uses the JDK only, so that tests can split a dialogue at any octet. This package
 * has its values, bounds and replies.
 */
@NullMarked
package dev.oneshot.ingest.smtp;

import org.jspecify.annotations.NullMarked;
