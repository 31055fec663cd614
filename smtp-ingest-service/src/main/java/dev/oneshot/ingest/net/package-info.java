/**
 * SMTP over TCP: sockets on event loops for the state machine of {@code smtp}, TLS, the PROXY protocol, timeouts, and
 * bounds on connections.
 */
@NullMarked
package dev.oneshot.ingest.net;

import org.jspecify.annotations.NullMarked;
