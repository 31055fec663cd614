/**
 * What belongs together across services: the W3C trace context, from HTTP and SMTP through Kafka's record headers into
 * every line of the logs that is about the same mail.
 */
@NullMarked
package dev.oneshot.contracts.trace;

import org.jspecify.annotations.NullMarked;
