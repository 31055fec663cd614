/** What SPF, DKIM and DMARC share, without I/O: DNS queries, domain names and lists of tags. */
@NullMarked
package dev.oneshot.authentication.dns;

import org.jspecify.annotations.NullMarked;
