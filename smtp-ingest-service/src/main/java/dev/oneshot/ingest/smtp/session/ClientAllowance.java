package dev.oneshot.ingest.smtp.session;

/** The remaining allowance of a client, shared by its connections. Called on the threads of the sessions; must not block. */
public interface ClientAllowance {

    /** No limits. */
    ClientAllowance UNLIMITED = new ClientAllowance() {};

    /** Counts a MAIL; false, without counting, if the client has sent too many. */
    default boolean takeMessage() {
        return true;
    }

    /** Counts a RCPT of an unknown address; false if the client has named too many. */
    default boolean takeUnknownRecipient() {
        return true;
    }
}
