/**
 * The receiving side of SMTP (RFC 5321) as a state machine: octets in; replies, and accepted mail transactions, out.
 * No I/O, no threads, no clock of its own, JDK only, so that any dialogue can be played at every split of its octets.
 */
@NullMarked
package dev.oneshot.ingest.smtp;

import org.jspecify.annotations.NullMarked;
