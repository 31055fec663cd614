/**
 * The W3C trace context, carried from HTTP and SMTP through Kafka's record headers into the log lines of the same
 * mail.
 */
@NullMarked
package dev.oneshot.contracts.trace;

import org.jspecify.annotations.NullMarked;
