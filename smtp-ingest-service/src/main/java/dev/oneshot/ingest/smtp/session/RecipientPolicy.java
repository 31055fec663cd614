package dev.oneshot.ingest.smtp.session;

import dev.oneshot.ingest.smtp.Mailbox;
import dev.oneshot.ingest.smtp.Recipient;
import dev.oneshot.ingest.smtp.ReversePath;
import java.util.List;

/**
 * Decides at RCPT, and again at the end of the message, whether a mailbox accepts mail. Called on the thread of the
 * session; must not block.
 */
public interface RecipientPolicy {

    sealed interface Decision {

        /**
         * The mailbox accepts mail.
         *
         * @param recipient if {@link Recipient#used}, only a retry
         */
        record Accepted(Recipient recipient) implements Decision {}

        /** The mailbox accepts no mail. */
        enum Refused implements Decision {
            /** Another domain. */
            OTHER_DOMAIN,
            /** Never issued, expired or deleted. */
            NO_SUCH_ADDRESS,
            /** {@code postmaster} or {@code abuse} of our domains; rejected only if the operator has named no mailbox. */
            POSTMASTER
        }
    }

    /** Decides about mail with this reverse-path. */
    Decision decide(Mailbox mailbox, ReversePath reversePath);

    /** Takes note that these recipients have their mail. Called before the client gets its 250. */
    void stored(List<Recipient> recipients);
}
