/**
 * Composes Internet messages (RFC 5322, MIME). The same request always gives the same bytes, so that mail programs recognize a
 * duplicate.
 */
@NullMarked
package dev.oneshot.mailer.compose;

import org.jspecify.annotations.NullMarked;
