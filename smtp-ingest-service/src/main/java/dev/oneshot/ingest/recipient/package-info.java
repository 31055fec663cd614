/**
 * Decides at RCPT, without a database, whether an address accepts mail: by its signed id, its expiry, and the set of
 * closed addresses.
 */
@NullMarked
package dev.oneshot.ingest.recipient;

import org.jspecify.annotations.NullMarked;
