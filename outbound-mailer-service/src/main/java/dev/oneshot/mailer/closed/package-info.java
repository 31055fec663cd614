/** Knows which addresses their owners have deleted, so that a mail that waits is not sent after all. */
@NullMarked
package dev.oneshot.mailer.closed;

import org.jspecify.annotations.NullMarked;
