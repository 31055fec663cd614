package dev.oneshot.contracts.event;

import java.time.Instant;
import java.util.Objects;

/**
 * One mail, accepted for one address. It is on Kafka before the client receives 250.
 *
 * @param addressId the id of the address in lower case; also the record's key
 * @param receivedAt when ingest received the end of the data
 * @param from the author; the reverse-path (RFC 5321 §4.5.5) if the message names none, which may be empty
 * @param subject its first {@link #SUBJECT_CHARACTERS_MAX} characters
 * @param attachmentCount the number of attachments
 * @param content the structure and the message in the form of {@link dev.oneshot.contracts.content.MailContent}; the message is as
 *     received, after dot-unstuffing, behind the trace fields of ingest (RFC 5321 §4.4)
 */
public record MailInbound(
        String addressId, Instant receivedAt, String from, String subject, int attachmentCount, Octets content)
        implements InboundEvent {

    /** Lists show a hundred subjects at once, and a subject may be as long as a whole header. */
    public static final int SUBJECT_CHARACTERS_MAX = 1_000;

    public MailInbound {
        Objects.requireNonNull(addressId, "addressId");
        Objects.requireNonNull(receivedAt, "receivedAt");
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(content, "content");
    }

    /** The beginning of a subject. */
    public static String shortened(String subject) {
        boolean isLong = subject.codePointCount(0, subject.length()) > SUBJECT_CHARACTERS_MAX;
        return isLong ? subject.substring(0, subject.offsetByCodePoints(0, SUBJECT_CHARACTERS_MAX)) : subject;
    }

    @Override
    public String key() {
        return addressId;
    }
}
