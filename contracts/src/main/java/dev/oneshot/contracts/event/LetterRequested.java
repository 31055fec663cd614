package dev.oneshot.contracts.event;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A letter from the service to the contact of an account.
 *
 * @param letterId also the record's key; never an address's id
 * @param kind the subject of the letter
 * @param from the sender's mailbox
 * @param to the contact's mailbox; may be internationalised (RFC 6531)
 * @param accountName the account's name, for display
 * @param amount addresses used, or credits added; 0 if the key was replaced
 * @param total addresses that the cycle includes, or the balance of credits; 0 if the key was replaced
 * @param reference of the credits; null for other kinds
 * @param requestedAt when it happened
 * @param expiresAt the letter is not sent from this time on
 */
public record LetterRequested(
        String letterId,
        Kind kind,
        String from,
        String to,
        String accountName,
        long amount,
        long total,
        @Nullable String reference,
        Instant requestedAt,
        Instant expiresAt)
        implements DueMail {

    public LetterRequested {
        Objects.requireNonNull(letterId, "letterId");
        Objects.requireNonNull(kind, "kind");
        FieldText.require("from", from, 1, MailRequested.ADDRESS_CHARACTERS_MAX);
        FieldText.require("to", to, 1, MailRequested.ADDRESS_CHARACTERS_MAX);
        Objects.requireNonNull(accountName, "accountName");
        Objects.requireNonNull(requestedAt, "requestedAt");
        Objects.requireNonNull(expiresAt, "expiresAt");
    }

    /** The subjects of letters. */
    public enum Kind {
        /** 80 % of the cycle's allocation is used. */
        ALLOCATION_NEARLY_USED,
        /** All of it is used. */
        ALLOCATION_USED,
        /** The account has a new API key. */
        KEY_REPLACED,
        /** The receipt for credits. */
        CREDITS_ADDED
    }
}
