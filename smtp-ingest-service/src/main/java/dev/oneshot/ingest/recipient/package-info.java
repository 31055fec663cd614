/**
 * Decides at RCPT, without a database, whether mail for an address is taken: the signed id says whether and how long
 * it lives, the closed set whether it has had its mail or was deleted.
 */
@NullMarked
package dev.oneshot.ingest.recipient;

import org.jspecify.annotations.NullMarked;
