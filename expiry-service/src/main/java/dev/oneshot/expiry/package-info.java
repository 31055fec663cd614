/**
 * The expiry-service: deletes expired content by row, drops partitions of mail after their hour, and later deletes
 * the rows of expired addresses. Replicas share the work without a leader. Only the database's clock decides what has
 * expired.
 */
@NullMarked
package dev.oneshot.expiry;

import org.jspecify.annotations.NullMarked;
