/**
 * Hands messages to the one SMTP server that delivers them. Blocking, for virtual threads; every wait has an end, and an
 * attempt that was given up can send nothing afterwards.
 */
@NullMarked
package dev.oneshot.mailer.relay;

import org.jspecify.annotations.NullMarked;
