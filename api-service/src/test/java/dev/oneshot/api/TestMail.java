package dev.oneshot.api;

import dev.oneshot.contracts.content.MailContent;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.EventFormatException;
import dev.oneshot.contracts.event.MailInbound;
import dev.oneshot.contracts.event.Octets;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.contracts.trace.TraceContext;
import dev.oneshot.message.MessageLimits;
import dev.oneshot.message.MessageReader;
import dev.oneshot.message.MessageStructure;
import dev.oneshot.testing.TopicRecords;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Mail as an ingest node publishes it. */
public final class TestMail {

    /** A short mail with an author and a subject. */
    public static final String SIMPLE = """
            From: Ann <ann@example.org>
            To: someone@example.org
            Subject: Hello

            Good day.
            """;

    /** The partitions of {@code mail.inbound}. */
    public static final int PARTITIONS = 3;

    private TestMail() {}

    /** The event of a message, its lines ended with CRLF. */
    public static MailInbound event(String addressId, String message) {
        byte[] raw = message.replace("\r\n", "\n").replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
        return event(addressId, raw);
    }

    /** The event of a message with exactly these bytes. */
    public static MailInbound event(String addressId, byte[] raw) {
        MessageStructure structure = MessageReader.read(raw, 0, raw.length, MessageLimits.DEFAULTS);
        return event(addressId, Instant.now(), structure, raw);
    }

    /** The event of a message that was received at a time. */
    public static MailInbound event(String addressId, Instant receivedAt, MessageStructure structure, byte[] raw) {
        return new MailInbound(
                addressId,
                receivedAt,
                structure.from().isEmpty() ? "sender@example.org" : structure.from(),
                MailInbound.shortened(structure.subject()),
                structure.attachments().size(),
                MailContent.compress(EventCodec.encode(structure), Octets.of(raw)));
    }

    /** The same mail, received at another time. */
    public static MailInbound at(Instant receivedAt, MailInbound mail) {
        return new MailInbound(
                mail.addressId(), receivedAt, mail.from(), mail.subject(), mail.attachmentCount(), mail.content());
    }

    /** The length of the message of a mail. */
    public static int messageBytes(MailInbound mail) {
        try {
            return MailContent.read(mail.content()).messageBytes();
        } catch (EventFormatException e) {
            throw new AssertionError(e);
        }
    }

    /** The event of a mail of 12 MiB: half of it is text, half an attachment. */
    public static MailInbound large(String addressId) {
        String line = "a line of a body that is as long as lines of mails may well be, and no longer.\n";
        String half = line.repeat(6 * 1024 * 1024 / line.length());
        return event(
                addressId,
                "From: a@b.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\n" + half
                        + "\n--x\nContent-Type: application/pdf\n\n" + half + "\n--x--\n");
    }

    /** Publishes events together and waits until Kafka has them. */
    public static void publish(List<MailInbound> events) {
        publishValues(events.stream()
                .map(event -> Map.entry(event.addressId(), EventCodec.encode(event)))
                .toList());
    }

    /** Publishes one event. */
    public static void publish(MailInbound event) {
        publish(List.of(event));
    }

    /** Publishes one event in a trace. */
    public static void publish(MailInbound event, String traceparent) {
        ProducerRecord<String, byte[]> record =
                new ProducerRecord<>(Topic.MAIL_INBOUND.topicName(), event.addressId(), EventCodec.encode(event));
        TraceContext.put(record.headers(), TraceContext.parse(traceparent));
        publishRecords(List.of(record));
    }

    /** Publishes any value with a key. */
    public static void publishValues(List<Map.Entry<String, byte[]>> values) {
        publishRecords(values.stream()
                .map(value -> new ProducerRecord<>(Topic.MAIL_INBOUND.topicName(), value.getKey(), value.getValue()))
                .toList());
    }

    /** Publishes a record without key and value to each partition. */
    public static void publishEmptyRecords() {
        publishRecords(IntStream.range(0, PARTITIONS)
                .mapToObj(partition ->
                        new ProducerRecord<String, byte[]>(Topic.MAIL_INBOUND.topicName(), partition, null, null))
                .toList());
    }

    /** Publishes records, to any topics. */
    public static void publishRecords(List<ProducerRecord<String, byte[]>> records) {
        TopicRecords.publish(TestTopic.brokers(), records);
    }
}
