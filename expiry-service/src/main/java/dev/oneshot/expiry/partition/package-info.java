/**
 * The hourly partitions of mail: created ahead of time, and dropped after their hour with all mail that the sweep has
 * not deleted.
 */
@NullMarked
package dev.oneshot.expiry.partition;

import org.jspecify.annotations.NullMarked;
