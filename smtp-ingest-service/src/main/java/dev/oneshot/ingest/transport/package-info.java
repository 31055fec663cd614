/**
 * SMTP over TCP: sockets on event loops under the state machine of {@code smtp}, one write a group of replies, and
 * every bound that needs a clock or a count of connections.
 */
@NullMarked
package dev.oneshot.ingest.transport;

import org.jspecify.annotations.NullMarked;
