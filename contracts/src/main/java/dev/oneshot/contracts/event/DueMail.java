package dev.oneshot.contracts.event;

import java.time.Instant;

/** A mail to send now, on {@link Topic#MAIL_DUE}. */
public sealed interface DueMail extends Event permits MailRequested, LetterRequested, PostmasterMail {

    /** When it was requested. */
    Instant requestedAt();

    /** It is not sent from this time on. */
    Instant expiresAt();
}
