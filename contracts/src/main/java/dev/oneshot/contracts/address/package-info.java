/**
 * The address id as a signed capability: at RCPT, ingest verifies it without a database, and reads its expiry and
 * limits.
 */
@NullMarked
package dev.oneshot.contracts.address;

import org.jspecify.annotations.NullMarked;
