package dev.oneshot.ingest.smtp;

/** The argument of RCPT: the recipient (RFC 5321 §3.3). */
public sealed interface ForwardPath {

    /** A mailbox, without a source route (RFC 5321 §4.1.1.3). */
    record To(Mailbox mailbox) implements ForwardPath {}

    /** The local part that every domain must accept (RFC 5321 §4.5.1), in any case. */
    String POSTMASTER = "postmaster";

    /** The local part for complaints (RFC 2142 §4), in any case. */
    String ABUSE = "abuse";

    /** Whether mail for it goes to the operator. */
    static boolean isRole(String localPart) {
        return localPart.equalsIgnoreCase(POSTMASTER) || localPart.equalsIgnoreCase(ABUSE);
    }

    /**
     * {@code <postmaster>} (RFC 5321 §4.1.1.3) or {@code <abuse>} without a domain, in any case.
     *
     * @param localPart in lower case
     */
    record Role(String localPart) implements ForwardPath {}
}
