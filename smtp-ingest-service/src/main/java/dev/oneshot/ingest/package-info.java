/** The service that accepts mail over SMTP and sends it to Kafka. */
@NullMarked
package dev.oneshot.ingest;

import org.jspecify.annotations.NullMarked;
