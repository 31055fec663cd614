/**
 * Sending one mail: what may be asked for, the outbox that holds it until it is settled and leases it to the mailers when it is due, and
 * the record of how it ended.
 */
@NullMarked
package dev.oneshot.api.sending;

import org.jspecify.annotations.NullMarked;
