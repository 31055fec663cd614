package dev.oneshot.ingest.smtp.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.ingest.smtp.AuthservId;
import dev.oneshot.ingest.smtp.Mailbox;
import dev.oneshot.ingest.smtp.Recipient;
import dev.oneshot.ingest.smtp.Replies;
import dev.oneshot.ingest.smtp.ReversePath;
import dev.oneshot.ingest.smtp.SmtpPolicy;
import dev.oneshot.ingest.smtp.data.MessageFingerprint;
import dev.oneshot.ingest.smtp.session.Output.Next;
import dev.oneshot.ingest.transcript.CountedMemory;
import dev.oneshot.ingest.transcript.PlayedSession;
import dev.oneshot.ingest.transcript.TranscriptRecipients;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A sender whose 250 may be lost gets it at its retry. */
class ExpectedRetriesTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final ReversePath ALICE = new ReversePath.Sender(new Mailbox("alice", "example.org"));
    private static final MessageFingerprint MAIL = new MessageFingerprint(ALICE.text(), 9, 1);
    private static final SmtpPolicy POLICY =
            new SmtpPolicy("mx.example", AuthservId.of("mx.example"), 2_000, 2, 9, 9, 99, 500, 300, 500, null);
    private static final String ENVELOPE = "HELO c\r\nMAIL FROM:<alice@example.org>\r\nRCPT TO:<once@in.example>\r\n";
    private static final String MESSAGE = "DATA\r\nSubject: x\r\n\r\nx\r\n.\r\n";

    private final TranscriptRecipients recipients = new TranscriptRecipients();

    @Test
    void aRetryIsKnownByItsAddressAndItsSender() {
        ExpectedRetries retries = new ExpectedRetries(InstantSource.fixed(NOW));

        retries.add(recipients("id"), MAIL);

        assertThat(retries.expects("id", ALICE)).isTrue();
        assertThat(retries.expects("id", new ReversePath.Null())).isFalse();
        assertThat(retries.expects("other", ALICE)).isFalse();
    }

    @Test
    void ofTooManyTheOldestIsForgotten() {
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

    @Test
    void senderWhoseConnectionWasLostDuringTheDeliveryGets250AtItsRetry() {
        SmtpSession lost = session();
        assertThat(play(lost, ENVELOPE + MESSAGE).next()).isInstanceOf(Next.Deliver.class);
        lost.abandon();
        lost.settle(DeliveryOutcome.STORED);
        lost.abandon();

        assertThat(again()).endsWith("250 2.0.0 Stored as session.1\r\n");
    }

    @Test
    void senderWhoseConnectionWasLostAfterThe250GetsItAtItsRetry() {
        SmtpSession lost = session();
        stored(lost);
        lost.abandon();

        assertThat(again()).endsWith("250 2.0.0 Stored as session.1\r\n");
    }

    @Test
    void whatWasSentBeforeThe250DoesNotShowThatItWasRead() {
        SmtpSession lost = session();
        ByteBuffer group = octets(ENVELOPE + MESSAGE + "NOOP\r\n");
        assertThat(lost.receive(group).next()).isInstanceOf(Next.Deliver.class);
        lost.settle(DeliveryOutcome.STORED);
        lost.receive(group);
        lost.abandon();

        assertThat(again()).endsWith("250 2.0.0 Stored as session.1\r\n");
    }

    @Test
    void howeverMuchWasSentBeforeThe250ItDoesNotShowThatItWasRead() {
        SmtpSession lost = session();
        ByteBuffer group = octets(ENVELOPE + MESSAGE + "HELP\r\n".repeat(95));
        lost.receive(group);
        lost.settle(DeliveryOutcome.STORED);
        assertThat(lost.receive(group).next()).isInstanceOf(Next.AwaitDrain.class);
        assertThat(lost.proceed(group).next()).isInstanceOf(Next.Read.class);
        lost.abandon();

        assertThat(again()).endsWith("250 2.0.0 Stored as session.1\r\n");
    }

    @Test
    void senderWhoSentMoreAfterThe250IsRejectedLater() {
        SmtpSession heard = session();
        stored(heard);
        play(heard, "N");
        heard.abandon();

        assertThat(again()).contains("550 5.2.1 This address has had its one mail\r\n");
    }

    @Test
    void senderWhoSentQuitWithTheDataIsRejectedLater() {
        SmtpSession quitting = session();
        ByteBuffer group = octets(ENVELOPE + MESSAGE + "QUIT\r\n");
        quitting.receive(group);
        quitting.settle(DeliveryOutcome.STORED);
        assertThat(quitting.receive(group).next()).isInstanceOf(Next.Close.class);
        quitting.abandon();

        assertThat(again()).contains("550 5.2.1 This address has had its one mail\r\n");
    }

    @Test
    void senderWhoFellSilentAfterThe250GetsItAtItsRetry() {
        SmtpSession silent = session();
        stored(silent);
        silent.end(Replies.IDLE);
        silent.abandon();

        assertThat(again()).endsWith("250 2.0.0 Stored as session.1\r\n");
    }

    private void stored(SmtpSession session) {
        ByteBuffer octets = octets(ENVELOPE + MESSAGE);
        assertThat(session.receive(octets).next()).isInstanceOf(Next.Deliver.class);
        session.settle(DeliveryOutcome.STORED);
        assertThat(text(session.receive(octets))).startsWith("250 2.0.0 Stored");
    }

    /** The replies to a retry. */
    private String again() {
        SmtpSession session = session();
        Output envelope = play(session, ENVELOPE);
        if (text(envelope).contains("550")) {
            return text(envelope);
        }
        ByteBuffer message = octets(MESSAGE);
        assertThat(session.receive(message).next()).isInstanceOf(Next.Deliver.class);
        session.settle(DeliveryOutcome.STORED);
        return text(session.receive(message));
    }

    private static Output play(SmtpSession session, String text) {
        return session.receive(octets(text));
    }

    private static ByteBuffer octets(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String text(Output output) {
        return new String(output.replies(), StandardCharsets.US_ASCII);
    }

    private SmtpSession session() {
        SmtpSession session = PlayedSession.session(POLICY, recipients, CountedMemory.of(Long.MAX_VALUE));
        session.greet();
        return session;
    }
}
