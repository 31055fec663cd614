/** The service's own letters to the contacts of accounts: from the events in the database to the outbox. */
@NullMarked
package dev.oneshot.api.letter;

import org.jspecify.annotations.NullMarked;
