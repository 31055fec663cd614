package dev.oneshot.ingest.smtp;

/** Decides at RCPT, and again at the end of the message, whether mail for a mailbox is taken. Called on the thread of the session: must not block. */
public interface RecipientPolicy {

    /** What was decided. */
    sealed interface Verdict {

        /**
         * Mail is taken.
         *
         * @param addressId the id of the one-shot address, in lower case
         * @param messageBytesMax the largest message it takes, in octets as the client counts them
         * @param attachmentBytesMax the largest attachment it takes, in octets once decoded
         */
        record Accepted(String addressId, long messageBytesMax, long attachmentBytesMax) implements Verdict {}

        /** It has had its one mail. Components as those of {@link Accepted}. */
        record Used(String addressId, long messageBytesMax, long attachmentBytesMax) implements Verdict {}

        /** Mail is not taken. */
        record Refused(Refusal refusal) implements Verdict {}
    }

    /** Why mail for a recipient is not taken. */
    enum Refusal {
        /** The domain is not ours. */
        OTHER_DOMAIN,
        /** Never issued, expired or deleted. */
        NO_SUCH_ADDRESS,
        /** The postmaster of our domain (RFC 5321 §4.5.1). */
        POSTMASTER
    }

    Verdict decide(Mailbox mailbox);

    /** The mails whose senders may come again with them, over all sessions. */
    UnheardMails unheardMails();
}
