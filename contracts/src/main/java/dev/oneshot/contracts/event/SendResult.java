package dev.oneshot.contracts.event;

/** A mailer's report on a leased mail. */
public sealed interface SendResult extends Event permits MailSettled, MailDeferred, LeaseExtended {

    /** The id of the address in lower case; also the record's key. */
    String addressId();
}
