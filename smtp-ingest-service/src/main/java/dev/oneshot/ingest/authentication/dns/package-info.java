/** The DNS queries of SPF, DKIM and DMARC, without I/O. */
@NullMarked
package dev.oneshot.ingest.authentication.dns;

import org.jspecify.annotations.NullMarked;
