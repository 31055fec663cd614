package dev.oneshot.contracts.event;

import java.time.Duration;
import java.util.Map;

/** The topics. Records about an address are keyed by its id, so that they are in order. */
public enum Topic {
    /**
     * One accepted mail for one recipient: an {@link InboundEvent}. api-service deletes its records soon after it has
     * stored them.
     */
    MAIL_INBOUND("mail.inbound", Duration.ofHours(24)),
    /** An address that takes no further mail before its expiry: {@link AddressClosed}. */
    ADDRESS_CLOSED("address.closed", Duration.ofHours(25)),
    /**
     * One mail that is due to be sent: {@link DueMail}, leased to the mailers ({@link SendLease}). A lost record is
     * published again when its lease has ended, so records are kept for minutes only.
     */
    MAIL_DUE("mail.due", Duration.ofMinutes(6)),
    /** The result of an attempt to send: {@link SendResult}. */
    MAIL_SETTLED("mail.settled", Duration.ofDays(7)),
    /** Records of {@link #MAIL_INBOUND} that cannot be processed, with the reason in a record header. */
    MAIL_INBOUND_DLQ("mail.inbound.dlq", Duration.ofDays(14)),
    /** Records of {@link #MAIL_SETTLED} that cannot be processed, with the reason in a record header. */
    MAIL_SETTLED_DLQ("mail.settled.dlq", Duration.ofDays(14));

    /**
     * The largest record in bytes, for producers, topics and consumers: the largest message (64 MiB, see {@link
     * dev.oneshot.contracts.address.SizeClass}) with its structure.
     */
    public static final int RECORD_BYTES_MAX = 72 * 1024 * 1024;

    /** The record header with the reason why a record is on a dead letter topic, in UTF-8. */
    public static final String DEAD_LETTER_REASON_HEADER = "oneshot-dead-letter-reason";

    private final String topicName;
    private final Duration retention;

    Topic(String topicName, Duration retention) {
        this.topicName = topicName;
        this.retention = retention;
    }

    /** The name in Kafka. */
    public String topicName() {
        return topicName;
    }

    /** How long records are kept. */
    public Duration retention() {
        return retention;
    }

    /** The topic's configuration, as Kafka's own keys and values. */
    public Map<String, String> configuration() {
        return Map.of(
                "cleanup.policy", "delete",
                "retention.ms", Long.toString(retention.toMillis()),
                "segment.ms", Long.toString(segmentSpan().toMillis()),
                "max.message.bytes", Integer.toString(RECORD_BYTES_MAX));
    }

    /**
     * How long Kafka adds records to one segment. Kafka deletes whole segments, so deleted content stays on disk for
     * this long at most, plus the broker's check interval (5 min by default) and file deletion delay (1 min).
     */
    public Duration segmentSpan() {
        return switch (this) {
            case MAIL_INBOUND, MAIL_DUE -> Duration.ofMinutes(2);
            case ADDRESS_CLOSED, MAIL_SETTLED -> Duration.ofHours(1);
            case MAIL_INBOUND_DLQ, MAIL_SETTLED_DLQ -> Duration.ofDays(1);
        };
    }
}
