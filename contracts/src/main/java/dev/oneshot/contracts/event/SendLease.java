package dev.oneshot.contracts.event;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * The right of one mailer to attempt one mail, in the record headers of {@link Topic#MAIL_DUE}.
 *
 * @param until when the attempt and its connection must have ended; another mailer may send the mail after that
 * @param attempts how many attempts were made before, at least 0
 */
public record SendLease(Instant until, int attempts) {

    private static final String UNTIL = "oneshot-leased-until";
    private static final String ATTEMPTS = "oneshot-attempts";

    public SendLease {
        if (attempts < 0) {
            throw new IllegalArgumentException("attempts must not be negative: " + attempts);
        }
    }

    /** Adds the lease to a record. */
    public void put(Headers headers) {
        headers.add(UNTIL, until.toString().getBytes(StandardCharsets.US_ASCII));
        headers.add(ATTEMPTS, Integer.toString(attempts).getBytes(StandardCharsets.US_ASCII));
    }

    /** The lease of a record; empty if it has no valid one. */
    public static Optional<SendLease> of(Headers headers) {
        try {
            return Optional.of(
                    new SendLease(Instant.parse(text(headers, UNTIL)), Integer.parseInt(text(headers, ATTEMPTS))));
        } catch (DateTimeException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String text(Headers headers, String name) {
        return Optional.ofNullable(headers.lastHeader(name))
                .map(Header::value)
                .map(value -> new String(value, StandardCharsets.US_ASCII))
                .orElse("");
    }
}
