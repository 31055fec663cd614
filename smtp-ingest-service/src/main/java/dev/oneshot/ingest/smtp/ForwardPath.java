package dev.oneshot.ingest.smtp;

/** The argument of RCPT: the recipient (RFC 5321 §3.3). */
public sealed interface ForwardPath {

    /** A mailbox, without a source route (RFC 5321 §4.1.1.3). */
    record To(Mailbox mailbox) implements ForwardPath {
        @Override
        public String toString() {
            return mailbox.toString();
        }
    }

    /** The local part that every domain must accept (RFC 5321 §4.5.1), in any case. */
    String POSTMASTER = "postmaster";

    /** {@code <postmaster>} without a domain, in any case (RFC 5321 §4.1.1.3). */
    record Postmaster() implements ForwardPath {
        @Override
        public String toString() {
            return POSTMASTER;
        }
    }
}
