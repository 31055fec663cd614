/** Whether the domain of the From field stands behind a message: DMARC (RFC 9989), without input or output. */
@NullMarked
package dev.oneshot.ingest.authentication.dmarc;

import org.jspecify.annotations.NullMarked;
