/**
 * A client of the one-shot e-mail service: creates addresses, waits for their mail and reads it. Start at
 * {@link dev.oneshot.client.OneshotClient}.
 */
@NullMarked
package dev.oneshot.client;

import org.jspecify.annotations.NullMarked;
