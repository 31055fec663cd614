/** The events on Kafka: topics, records and their encoding. */
@NullMarked
package dev.oneshot.contracts.event;

import org.jspecify.annotations.NullMarked;
