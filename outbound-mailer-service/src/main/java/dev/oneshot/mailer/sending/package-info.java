/** Takes due mails from Kafka, attempts each once within its lease, and reports the result. */
@NullMarked
package dev.oneshot.mailer.sending;

import org.jspecify.annotations.NullMarked;
