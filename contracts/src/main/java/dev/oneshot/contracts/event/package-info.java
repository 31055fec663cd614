/** The events the services exchange over Kafka: their topics, their records and how these become octets. */
@NullMarked
package dev.oneshot.contracts.event;

import org.jspecify.annotations.NullMarked;
