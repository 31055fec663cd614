package dev.oneshot.mailer.compose;

/**
 * A MIME part.
 *
 * @param header its fields, without the last CRLF
 * @param eightBit whether the body has 8-bit bytes and needs a relay with 8BITMIME (RFC 6152)
 */
record Part(String header, boolean eightBit, MimeBody body) {}
