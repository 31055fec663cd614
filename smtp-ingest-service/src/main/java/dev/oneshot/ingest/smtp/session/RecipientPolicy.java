package dev.oneshot.ingest.smtp.session;

import dev.oneshot.ingest.smtp.Mailbox;
import dev.oneshot.ingest.smtp.Recipient;

/**
 * Decides at RCPT, and again at the end of the message, whether a mailbox accepts mail. Called on the thread of the
 * session; must not block.
 */
public interface RecipientPolicy {

    /** The decision. */
    sealed interface Verdict {

        /**
         * The mailbox accepts mail.
         *
         * @param recipient if {@link Recipient#used}, only a retry
         */
        record Accepted(Recipient recipient) implements Verdict {}

        /** The mailbox accepts no mail. */
        record Refused(Refusal refusal) implements Verdict {}
    }

    /** Why a recipient is rejected. */
    enum Refusal {
        /** Another domain. */
        OTHER_DOMAIN,
        /** Never issued, expired or deleted. */
        NO_SUCH_ADDRESS,
        /** The postmaster of the receive domain (RFC 5321 §4.5.1). */
        POSTMASTER
    }

    Verdict decide(Mailbox mailbox);

    /** Those of all sessions. */
    ExpectedRetries expectedRetries();
}
