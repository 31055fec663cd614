/**
 * Takes requests from Kafka, has each delivered beside the others, and records its end together with the consumer's
 * progress in one Kafka transaction: what is settled, retried or dead-lettered is committed exactly once.
 */
@NullMarked
package dev.oneshot.mailer.request;

import org.jspecify.annotations.NullMarked;
