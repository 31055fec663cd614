/** The mail of addresses: taken from Kafka into the database, and read out of it by slices. */
@NullMarked
package dev.oneshot.api.inbox;

import org.jspecify.annotations.NullMarked;
