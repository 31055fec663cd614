package dev.oneshot.ingest.smtp;

/** The argument of RCPT: whom the mail is for (RFC 5321 §3.3). */
public sealed interface ForwardPath {

    /** A mailbox; a source route in front of it has been read and dropped (RFC 5321 §4.1.1.3). */
    record To(Mailbox mailbox) implements ForwardPath {
        @Override
        public String toString() {
            return mailbox.toString();
        }
    }

    /** The local part that every domain has (RFC 5321 §4.5.1), in any case. */
    String POSTMASTER = "postmaster";

    /** {@code <postmaster>} without a domain, in any case (RFC 5321 §4.1.1.3). */
    record Postmaster() implements ForwardPath {
        @Override
        public String toString() {
            return POSTMASTER;
        }
    }
}
