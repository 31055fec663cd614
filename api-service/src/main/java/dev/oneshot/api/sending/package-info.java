/**
 * Sending one mail: what may be asked for, the outbox that carries it to Kafka once the address is committed, and the
 * record of how it ended.
 */
@NullMarked
package dev.oneshot.api.sending;

import org.jspecify.annotations.NullMarked;
