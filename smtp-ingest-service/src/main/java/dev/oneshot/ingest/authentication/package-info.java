/**
 * Who stands behind a message: SPF, DKIM and DMARC, written into one Authentication-Results field (RFC 8601). Bounded in
 * time: an unknown result is then a temporary error, and the message is stored all the same.
 */
@NullMarked
package dev.oneshot.ingest.authentication;

import org.jspecify.annotations.NullMarked;
