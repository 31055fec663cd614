/**
 * The address id as a signed capability: an ingest node knows at RCPT, without a database, whether we issued it,
 * until when it lives and how large its mail and an attachment in it may be.
 */
@NullMarked
package dev.oneshot.contracts.address;

import org.jspecify.annotations.NullMarked;
