package dev.oneshot.contracts.event;

/** What became of a leased request to send. */
public sealed interface SendResult permits MailSettled, MailDeferred {

    /** The id of the address in lower case; also the record's key. */
    String addressId();
}
