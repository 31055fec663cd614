/** Parses command lines: from octets to a {@code Command}, or to the reply that rejects it (RFC 5321 §4.1). */
@NullMarked
package dev.oneshot.ingest.smtp.command;

import org.jspecify.annotations.NullMarked;
