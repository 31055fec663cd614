/**
 * Makes an accepted message durable: one record a recipient on {@code mail.inbound}, and the outcome only once Kafka
 * has acknowledged all of them.
 */
@NullMarked
package dev.oneshot.ingest.delivery;

import org.jspecify.annotations.NullMarked;
