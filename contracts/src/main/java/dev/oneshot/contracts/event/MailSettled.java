package dev.oneshot.contracts.event;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a request to send ended. Nothing of the mail is in it.
 *
 * @param addressId the id of the address in lower case; also the record's key
 * @param outcome the end
 * @param lastFailure why the last attempt failed, if it did
 * @param reply the relay's last reply, if it got as far as replying to a command
 * @param attempts how often the relay was tried, at least 0
 * @param requestedAt when the request was accepted; null if the request could not be read
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

    /** The ends a request can come to. */
    public enum Outcome {
        /** The relay took it: 250 after the end of the data. */
        RELAYED,
        /** The relay will never take it: a reply of 500 to 599. */
        REFUSED,
        /** The last try has failed. */
        GIVEN_UP,
        /** Not sent, as its address expired before. */
        EXPIRED,
        /** Not sent, as its address was deleted before. */
        DELETED,
        /** Not sent, as the request could not be read or composed. */
        UNDELIVERABLE
    }

    /** Why an attempt failed. */
    public enum Failure {
        /** The relay replied something other than success; see {@link #reply()}. */
        REPLY,
        /** No connection could be made, or it was lost. */
        CONNECTION,
        /** TLS could not be agreed on, or the certificate is not trusted. */
        TLS,
        /** The relay refused our credentials, or offers no way to log in. */
        AUTHENTICATION,
        /** The relay took longer than it may. */
        TIMEOUT,
        /** The recipient's address is internationalised, and the relay does not offer SMTPUTF8 (RFC 6531). */
        UNSUPPORTED
    }

    /**
     * A reply of the relay, without its text, as that may name the recipient.
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
