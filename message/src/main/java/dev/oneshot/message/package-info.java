/**
 * Reads the structure of e-mails (RFC 5322, RFC 2045 to 2047, 2183, 2231, 6532) as offsets into their octets. Nothing
 * is copied; bodies and attachments are decoded only when read. JDK only.
 */
@NullMarked
package dev.oneshot.message;

import org.jspecify.annotations.NullMarked;
