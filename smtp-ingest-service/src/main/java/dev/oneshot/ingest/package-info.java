/** The service that takes mail over SMTP and hands it to Kafka. Its parts are the packages below. */
@NullMarked
package dev.oneshot.ingest;

import org.jspecify.annotations.NullMarked;
