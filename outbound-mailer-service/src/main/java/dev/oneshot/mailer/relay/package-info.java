/**
 * Sends messages to the relay, the one SMTP server that delivers them. Blocking, for virtual threads: every wait has
 * a timeout, and an aborted attempt sends nothing afterwards.
 */
@NullMarked
package dev.oneshot.mailer.relay;

import org.jspecify.annotations.NullMarked;
