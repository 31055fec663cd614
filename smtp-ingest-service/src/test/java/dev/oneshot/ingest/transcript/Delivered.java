package dev.oneshot.ingest.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.ingest.smtp.Recipient;
import dev.oneshot.ingest.smtp.data.MessageOctets;
import dev.oneshot.ingest.smtp.session.DeliveryOutcome;
import dev.oneshot.ingest.smtp.session.MailTransaction;
import dev.oneshot.message.MessageLimits;
import dev.oneshot.message.MessageReader;
import dev.oneshot.message.MessageStructure;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The messages that a play of a transcript delivered, which are compared with the transcript. */
public final class Delivered {

    private final Transcript transcript;
    private final List<MailTransaction> transactions = new ArrayList<>();

    /** Nothing yet. */
    public Delivered(Transcript transcript) {
        this.transcript = transcript;
    }

    /** Takes a message as it is now, and returns its outcome. One with too large an attachment is not delivered. */
    public synchronized DeliveryOutcome take(MailTransaction transaction) {
        byte[] octets = transaction.octets().toByteArray();
        MessageStructure structure = MessageReader.read(
                octets, 0, octets.length, transaction.octets().traceLength(), MessageLimits.DEFAULTS);
        if (structure.largestAttachmentBytes() > transaction.envelope().attachmentBytesMax()) {
            return DeliveryOutcome.ATTACHMENT_TOO_LARGE;
        }
        int number = transactions.size();
        transactions.add(new MailTransaction(
                transaction.id(),
                transaction.origin(),
                transaction.envelope(),
                new MessageOctets(List.of(ByteBuffer.wrap(octets)), 0, () -> {}),
                transaction.receivedAt(),
                transaction.verdicts()));
        return number < transcript.outcomes().size() ? transcript.outcomes().get(number) : DeliveryOutcome.STORED;
    }

    /** Fails unless the messages are those of the transcript. */
    public synchronized void check() {
        assertThat(transactions).as("deliveries").hasSameSizeAs(transcript.deliveries());
        for (int i = 0; i < transactions.size(); i++) {
            check(transactions.get(i), transcript.deliveries().get(i));
        }
    }

    private static void check(MailTransaction actual, List<Transcript.Fact> expected) {
        String message = new String(actual.octets().toByteArray(), StandardCharsets.ISO_8859_1);
        int traceEnd = message.indexOf("+0000\r\n") + 7;
        String trace = new String(
                message.substring(0, traceEnd).getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        for (Transcript.Fact fact : expected) {
            String value = fact.value();
            switch (fact.key()) {
                case "from" -> {
                    assertThat(actual.envelope().reversePath().text()).isEqualTo(value);
                    assertThat(trace).startsWith("Return-Path: <" + value + ">\r\nReceived: from ");
                }
                case "to" ->
                    assertThat(actual.envelope().recipients())
                            .extracting(Recipient::addressId)
                            .containsExactly(value.split(" ", -1));
                case "content" ->
                    assertThat(message.substring(traceEnd))
                            .isEqualTo(new String(Transcript.octets(value), StandardCharsets.ISO_8859_1));
                case "trace" -> assertThat(trace.replace("\r\n\t", " ")).contains(value);
                case "not-in-trace" -> assertThat(trace).doesNotContain(value);
                default -> throw new IllegalArgumentException("not understood: " + fact);
            }
        }
    }
}
