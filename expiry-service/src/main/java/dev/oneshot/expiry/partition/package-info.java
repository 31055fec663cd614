/**
 * The hourly partitions of mail content: created ahead of the mail that will need them, dropped when their hour is
 * over. What the sweep did not get to goes with the partition.
 */
@NullMarked
package dev.oneshot.expiry.partition;

import org.jspecify.annotations.NullMarked;
