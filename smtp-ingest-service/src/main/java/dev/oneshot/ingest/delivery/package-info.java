/**
 * Stores accepted messages as records on {@code mail.inbound}, one for each recipient. A message is stored when Kafka has
 * acknowledged all of them.
 */
@NullMarked
package dev.oneshot.ingest.delivery;

import org.jspecify.annotations.NullMarked;
