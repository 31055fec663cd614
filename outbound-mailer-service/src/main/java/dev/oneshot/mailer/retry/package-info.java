/**
 * When a request is tried again, and how often. What waits lies on Kafka, one topic a pause, so that it survives a
 * restart and no mail waits behind another that waits longer.
 */
@NullMarked
package dev.oneshot.mailer.retry;

import org.jspecify.annotations.NullMarked;
