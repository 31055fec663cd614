/** What all services log of Kafka's clients. */
@NullMarked
package dev.oneshot.contracts.log;

import org.jspecify.annotations.NullMarked;
