/** How this service reaches Kafka. */
@NullMarked
package dev.oneshot.api.kafka;

import org.jspecify.annotations.NullMarked;
