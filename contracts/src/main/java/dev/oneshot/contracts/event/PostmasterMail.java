package dev.oneshot.contracts.event;

import java.time.Instant;
import java.util.Objects;

/**
 * A mail for {@code postmaster} or {@code abuse}, relayed to the operator's mailbox as it is. The same bytes are on
 * {@link Topic#MAIL_INBOUND}, in the outbox and on {@link Topic#MAIL_DUE}.
 *
 * @param mailId of this mail, also the record's key; begins with {@value #ID_PREFIX}, and is never an address's id
 * @param to the operator's mailbox, in ASCII
 * @param requestedAt when ingest received the end of the data
 * @param expiresAt it is not sent from this time on
 * @param raw the message as received, behind the trace fields of ingest; CR and LF stand only together, and there is no NUL
 */
public record PostmasterMail(String mailId, String to, Instant requestedAt, Instant expiresAt, Octets raw)
        implements InboundEvent, DueMail {

    public static final String ID_PREFIX = "postmaster-";

    private static final int ID_CHARACTERS_MAX = 100;

    public PostmasterMail {
        FieldText.require("mailId", mailId, ID_PREFIX.length() + 1, ID_CHARACTERS_MAX);
        if (!mailId.startsWith(ID_PREFIX)) {
            throw new IllegalArgumentException("mailId must begin with " + ID_PREFIX);
        }
        FieldText.require("to", to, 1, MailRequested.ADDRESS_CHARACTERS_MAX);
        Objects.requireNonNull(requestedAt, "requestedAt");
        Objects.requireNonNull(expiresAt, "expiresAt");
        Objects.requireNonNull(raw, "raw");
    }

    @Override
    public String key() {
        return mailId;
    }
}
