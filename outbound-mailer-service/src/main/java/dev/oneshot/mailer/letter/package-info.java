/** Letters to the contacts of accounts: Qute templates, sent by quarkus-mailer. */
@NullMarked
package dev.oneshot.mailer.letter;

import org.jspecify.annotations.NullMarked;
