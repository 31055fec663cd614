/** Where Kafka is, and what all of our clients of it have in common. */
@NullMarked
package dev.oneshot.mailer.kafka;

import org.jspecify.annotations.NullMarked;
