package dev.oneshot.ingest.smtp.session;

import static dev.oneshot.ingest.transcript.PlayedSession.octets;
import static dev.oneshot.ingest.transcript.PlayedSession.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.ingest.smtp.Mailbox;
import dev.oneshot.ingest.smtp.Recipient;
import dev.oneshot.ingest.smtp.Replies;
import dev.oneshot.ingest.smtp.ReversePath;
import dev.oneshot.ingest.smtp.data.MessageFingerprint;
import dev.oneshot.ingest.smtp.session.Output.Next;
import dev.oneshot.ingest.transcript.PlayedSession;
import dev.oneshot.ingest.transcript.Transcript;
import dev.oneshot.ingest.transcript.TranscriptRecipients;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A sender whose 250 may be lost gets 250 for its retry. */
class ExpectedRetriesTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final ReversePath ALICE = new ReversePath.Sender(new Mailbox("alice", "example.org"));
    private static final MessageFingerprint MAIL = new MessageFingerprint(ALICE.text(), 9, 1);
    private static final String ENVELOPE = "HELO c\r\nMAIL FROM:<alice@example.org>\r\nRCPT TO:<once@in.example>\r\n";
    private static final String MESSAGE = "DATA\r\nSubject: x\r\n\r\nx\r\n.\r\n";

    private final TranscriptRecipients recipients = new TranscriptRecipients();
    private final ExpectedRetries expected = new ExpectedRetries(InstantSource.system());

    @Test
    void aRetryIsKnownByItsAddressAndItsSender() {
        ExpectedRetries retries = new ExpectedRetries(InstantSource.fixed(NOW));

        retries.add(recipients("id"), MAIL);

        assertThat(retries.expects("id", ALICE)).isTrue();
        assertThat(retries.expects("id", new ReversePath.Null())).isFalse();
        assertThat(retries.expects("other", ALICE)).isFalse();
    }

    @Test
    void theOldestOfTooManyIsForgotten() {
        ExpectedRetries retries = new ExpectedRetries(InstantSource.fixed(NOW));

        for (int i = 0; i <= ExpectedRetries.MAX; i++) {
            retries.add(recipients("id" + i), MAIL);
        }

        assertThat(retries.expects("id0", ALICE)).isFalse();
        assertThat(retries.expects("id1", ALICE)).isTrue();
        assertThat(retries.expects("id" + ExpectedRetries.MAX, ALICE)).isTrue();
    }

    @Test
    void afterADayARetryIsForgotten() {
        AtomicReference<Instant> now = new AtomicReference<>(NOW);
        ExpectedRetries retries = new ExpectedRetries(now::get);
        retries.add(recipients("id"), MAIL);

        now.set(NOW.plus(ExpectedRetries.KEPT).minusNanos(1));
        assertThat(retries.contain("id", MAIL)).isTrue();
        now.set(NOW.plus(ExpectedRetries.KEPT));
        assertThat(retries.contain("id", MAIL)).isFalse();
        assertThat(retries.expects("id", ALICE)).isFalse();
    }

    private static List<Recipient> recipients(String id) {
        return List.of(new Recipient(id, new Mailbox(id, "in.example"), 1, 1, false));
    }

    /** Only octets after the 250, or a QUIT at any time, show that the client has read its 250. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
                    -    | -                 | 250 2.0.0 Stored as session.1
                    NOOP | -                 | 250 2.0.0 Stored as session.1
                    many | -                 | 250 2.0.0 Stored as session.1
                    -    | falls silent      | 250 2.0.0 Stored as session.1
                    -    | sends another N   | 550 5.2.1 This address has had its one mail
                    QUIT | -                 | 550 5.2.1 This address has had its one mail
                    """)
    void senderWhoMayNotHaveReadIts250GetsItAtItsRetry(
            @Nullable String withTheMessage, @Nullable String afterwards, String reply) {
        SmtpSession lost = session();
        String more = withTheMessage == null
                ? ""
                : withTheMessage.equals("many") ? "HELP\r\n".repeat(95) : withTheMessage + "\r\n";
        ByteBuffer group = octets(ENVELOPE + MESSAGE + more);
        assertThat(lost.receive(group).next()).isInstanceOf(Next.Deliver.class);
        assertThat(text(lost.settle(DeliveryOutcome.STORED))).startsWith("250 2.0.0 Stored");
        lost.proceed(group);
        assertThat(group.hasRemaining()).isEqualTo("many".equals(withTheMessage));
        lost.proceed(group);
        if ("falls silent".equals(afterwards)) {
            lost.end(Replies.IDLE);
        } else if (afterwards != null) {
            lost.receive(octets("N"));
        }

        lost.abandon();

        assertThat(again()).contains(reply + "\r\n");
    }

    /** The replies to a retry. */
    private String again() {
        SmtpSession session = session();
        ByteBuffer group = octets(ENVELOPE + MESSAGE);
        Output output = session.receive(group);
        return text(output.next() instanceof Next.Deliver ? session.settle(DeliveryOutcome.STORED) : output);
    }

    private SmtpSession session() {
        return PlayedSession.greeted(Transcript.policyOf(), recipients, expected);
    }
}
