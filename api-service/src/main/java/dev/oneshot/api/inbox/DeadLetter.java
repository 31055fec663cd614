package dev.oneshot.api.inbox;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A record that can never be handled, and why. */
record DeadLetter(ConsumerRecord<String, byte[]> letter, String reason) {}
