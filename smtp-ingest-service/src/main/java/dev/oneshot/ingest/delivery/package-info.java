/**
 * Stores accepted messages: one record a recipient on {@code mail.inbound}, stored when Kafka has acknowledged all of
 * them.
 */
@NullMarked
package dev.oneshot.ingest.delivery;

import org.jspecify.annotations.NullMarked;
