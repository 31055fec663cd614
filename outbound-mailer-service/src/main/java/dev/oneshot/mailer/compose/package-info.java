/**
 * Turns a request into an Internet message (RFC 5322, MIME): the same request always becomes the same octets, so that a
 * mail which had to be sent twice is recognised as one.
 */
@NullMarked
package dev.oneshot.mailer.compose;

import org.jspecify.annotations.NullMarked;
