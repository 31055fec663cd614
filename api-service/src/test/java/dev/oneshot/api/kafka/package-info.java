/** Tests of the clients of Kafka. */
@NullMarked
package dev.oneshot.api.kafka;

import org.jspecify.annotations.NullMarked;
