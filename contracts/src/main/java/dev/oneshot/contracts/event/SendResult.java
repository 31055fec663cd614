package dev.oneshot.contracts.event;

/** What a mailer reports of a leased request to send. */
public sealed interface SendResult permits MailSettled, MailDeferred, LeaseExtended {

    /** The id of the address in lower case; also the record's key. */
    String addressId();
}
