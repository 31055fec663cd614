/**
 * Sending a mail: the request, the outbox that keeps it until it is settled and leases it to mailers, and the record of its
 * outcome.
 */
@NullMarked
package dev.oneshot.api.sending;

import org.jspecify.annotations.NullMarked;
