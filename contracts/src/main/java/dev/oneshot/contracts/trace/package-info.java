/**
 * Traces by OpenTelemetry: from HTTP and SMTP through Kafka's record headers into the log lines of the same mail, and to a
 * collector if there is one.
 */
@NullMarked
package dev.oneshot.contracts.trace;

import org.jspecify.annotations.NullMarked;
