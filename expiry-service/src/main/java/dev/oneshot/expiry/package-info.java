/**
 * The expiry-service: what has expired is deleted promptly by row, cheaply by partition, and forgotten at last. Any
 * number of replicas share the work without a leader. The database's clock alone decides what has expired.
 */
@NullMarked
package dev.oneshot.expiry;

import org.jspecify.annotations.NullMarked;
