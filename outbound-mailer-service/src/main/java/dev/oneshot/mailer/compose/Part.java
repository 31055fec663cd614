package dev.oneshot.mailer.compose;

import java.util.List;

/**
 * A MIME part.
 *
 * @param fields of its header, folded, each without its last CRLF
 * @param eightBit whether the body has 8-bit bytes and needs a relay with 8BITMIME (RFC 6152)
 */
record Part(List<String> fields, boolean eightBit, MimeBody body) {}
