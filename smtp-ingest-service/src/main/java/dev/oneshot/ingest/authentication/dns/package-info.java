/** What SPF, DKIM and DMARC ask of DNS, without input or output. */
@NullMarked
package dev.oneshot.ingest.authentication.dns;

import org.jspecify.annotations.NullMarked;
