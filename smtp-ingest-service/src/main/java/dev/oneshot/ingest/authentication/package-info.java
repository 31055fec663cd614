/**
 * Checks SPF, DKIM and DMARC of a message, and writes the results into one Authentication-Results field (RFC 8601). The
 * time is bounded. What is not known by then is a temporary error, and the message is stored.
 */
@NullMarked
package dev.oneshot.ingest.authentication;

import org.jspecify.annotations.NullMarked;
