package dev.oneshot.contracts.event;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a mail to send ended. It has no content of the mail.
 *
 * @param addressId the id of the address in lower case; also the record's key
 * @param outcome how it ended
 * @param lastFailure why the last attempt failed, if it did
 * @param reply the relay's last reply to a command, or null
 * @param attempts how many attempts were made, at least 0
 * @param requestedAt when the request was accepted; null if the event of the request could not be read
 * @param settledAt when it ended
 */
public record MailSettled(
        String addressId,
        Outcome outcome,
        @Nullable Failure lastFailure,
        @Nullable Reply reply,
        int attempts,
        @Nullable Instant requestedAt,
        Instant settledAt)
        implements SendResult {

    public MailSettled {
        Objects.requireNonNull(addressId, "addressId");
        Objects.requireNonNull(outcome, "outcome");
        Objects.requireNonNull(settledAt, "settledAt");
        if (attempts < 0) {
            throw new IllegalArgumentException("attempts must not be negative: " + attempts);
        }
    }

    /** How a mail to send can end. */
    public enum Outcome {
        /** The relay accepted it: 250 after the end of the data. */
        RELAYED,
        /** Relayed, then a delivery status notification said that it failed. Mailers never report it. */
        BOUNCED,
        /** No retry can succeed: the relay replied with 500 to 599, or lacks an extension that the mail needs. */
        REFUSED,
        /** The last attempt failed. */
        GIVEN_UP,
        /** Not sent: its address expired before. */
        EXPIRED,
        /** Not sent: its address was deleted before. */
        DELETED,
        /** Not sent: the event could not be read, or the mail not composed. */
        UNDELIVERABLE
    }

    /** Why an attempt failed. */
    public enum Failure {
        /** The relay's reply was not a success; see {@link #reply()}. */
        REPLY,
        /** No connection could be made, or it was lost. */
        CONNECTION,
        /** TLS could not be negotiated, or the certificate is not trusted. */
        TLS,
        /** The relay rejected the credentials, or offers no supported way to log in. */
        AUTHENTICATION,
        /** A timeout ran out. */
        TIMEOUT,
        /** The relay does not offer an extension that the mail needs: SMTPUTF8 (RFC 6531) or 8BITMIME (RFC 6152). */
        UNSUPPORTED
    }

    /**
     * A reply of the relay, without its text, which may name the recipient.
     *
     * @param code the reply code, 200 to 599 (RFC 5321 §4.2)
     * @param enhancedStatus the enhanced status code (RFC 3463), such as {@code 5.1.1}, or null
     */
    public record Reply(int code, @Nullable String enhancedStatus) {

        private static final int ENHANCED_STATUS_CHARACTERS_MAX = 11;

        public Reply {
            if (code < 200 || code > 599) {
                throw new IllegalArgumentException("no SMTP reply code: " + code);
            }
            if (enhancedStatus != null && enhancedStatus.length() > ENHANCED_STATUS_CHARACTERS_MAX) {
                throw new IllegalArgumentException("no enhanced status code: " + enhancedStatus);
            }
        }
    }
}
