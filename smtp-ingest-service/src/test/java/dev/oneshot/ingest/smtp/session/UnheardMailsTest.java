package dev.oneshot.ingest.smtp.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.ingest.smtp.AuthservId;
import dev.oneshot.ingest.smtp.Client;
import dev.oneshot.ingest.smtp.Mailbox;
import dev.oneshot.ingest.smtp.ReversePath;
import dev.oneshot.ingest.smtp.SmtpPolicy;
import dev.oneshot.ingest.smtp.data.MemoryBudget;
import dev.oneshot.ingest.smtp.data.MessageFingerprint;
import dev.oneshot.ingest.smtp.session.Output.Next;
import dev.oneshot.ingest.transcript.TranscriptRecipients;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

/** What is remembered of mails whose senders may not have heard that they are stored, and for how long. */
class UnheardMailsTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final Duration HOUR = Duration.ofHours(1);
    private static final ReversePath ALICE = new ReversePath.Sender(new Mailbox("alice", "example.org"));
    private static final MessageFingerprint MAIL = new MessageFingerprint("alice@example.org", 22, 7);
    private static final SmtpPolicy POLICY =
            new SmtpPolicy("mx.example", AuthservId.of("mx.example"), 2_000, 2, 9, 9, 99, 500, 300, 500, null);
    private static final String ENVELOPE = "HELO c\r\nMAIL FROM:<alice@example.org>\r\nRCPT TO:<once@in.example>\r\n";
    private static final String MESSAGE = "DATA\r\nSubject: x\r\n\r\nx\r\n.\r\n";

    private final TranscriptRecipients recipients = new TranscriptRecipients();

    @Test
    void aMailIsKnownByItsSenderItsLengthAndItsContent() {
        UnheardMails mails = new UnheardMails(1, HOUR);

        mails.remember("id", MAIL, NOW);

        assertThat(mails.contain("id", MAIL, NOW)).isTrue();
        assertThat(mails.contain("id", new MessageFingerprint("bob@example.org", 22, 7), NOW))
                .isFalse();
        assertThat(mails.contain("id", new MessageFingerprint("alice@example.org", 23, 7), NOW))
                .isFalse();
        assertThat(mails.contain("id", new MessageFingerprint("alice@example.org", 22, 8), NOW))
                .isFalse();
        assertThat(mails.contain("other", MAIL, NOW)).isFalse();
        assertThat(mails.mayComeAgain("id", ALICE, NOW)).isTrue();
        assertThat(mails.mayComeAgain("id", new ReversePath.Null(), NOW)).isFalse();
        assertThat(mails.mayComeAgain("other", ALICE, NOW)).isFalse();
    }

    @Test
    void ofTooManyTheOldestIsForgotten() {
        UnheardMails mails = new UnheardMails(2, HOUR);

        mails.remember("first", MAIL, NOW);
        mails.remember("second", MAIL, NOW);
        assertThat(mails.contain("first", MAIL, NOW)).isTrue();
        mails.remember("third", MAIL, NOW);

        assertThat(mails.contain("first", MAIL, NOW)).isFalse();
        assertThat(mails.contain("second", MAIL, NOW)).isTrue();
        assertThat(mails.contain("third", MAIL, NOW)).isTrue();
    }

    @Test
    void eachIsForgottenAfterItsTimeUnlessRememberedAnew() {
        UnheardMails mails = new UnheardMails(10, HOUR);

        mails.remember("once", MAIL, NOW);
        mails.remember("again", MAIL, NOW);
        mails.remember("again", MAIL, NOW.plusSeconds(1));

        assertThat(mails.contain("once", MAIL, NOW.plus(HOUR).minusMillis(1))).isTrue();
        assertThat(mails.contain("once", MAIL, NOW.plus(HOUR))).isFalse();
        assertThat(mails.contain("again", MAIL, NOW.plus(HOUR))).isTrue();
        assertThat(mails.contain("again", MAIL, NOW.plus(HOUR).plusSeconds(1))).isFalse();
    }

    @Test
    void withoutRoomOrTimeThereIsNone() {
        assertThatThrownBy(() -> new UnheardMails(0, HOUR)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new UnheardMails(1, Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void senderWhoseConnectionWasLostDuringTheDeliveryHears250WithoutASecondDelivery() {
        SmtpSession lost = session();
        assertThat(play(lost, ENVELOPE + MESSAGE).next()).isInstanceOf(Next.Deliver.class);
        lost.abandon();
        lost.settle(DeliveryOutcome.STORED);
        lost.abandon();

        assertThat(again()).endsWith("250 2.0.0 Stored as session.1\r\n");
    }

    @Test
    void senderWhoseConnectionWasLostAfterThe250Hears250WithoutASecondDelivery() {
        SmtpSession lost = session();
        stored(lost);
        lost.abandon();

        assertThat(again()).endsWith("250 2.0.0 Stored as session.1\r\n");
    }

    @Test
    void whatWasSentBeforeThe250IsNoSignThatItWasHeard() {
        SmtpSession lost = session();
        ByteBuffer group = octets(ENVELOPE + MESSAGE + "NOOP\r\n");
        assertThat(lost.receive(group).next()).isInstanceOf(Next.Deliver.class);
        lost.settle(DeliveryOutcome.STORED);
        lost.receive(group);
        lost.abandon();

        assertThat(again()).endsWith("250 2.0.0 Stored as session.1\r\n");
    }

    @Test
    void howeverMuchWasSentBeforeThe250IsNoSignThatItWasHeard() {
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
    void senderWhoWentOnAfterThe250IsRefusedLater() {
        SmtpSession heard = session();
        stored(heard);
        play(heard, "N");
        heard.abandon();

        assertThat(again()).contains("550 5.2.1 This address has had its one mail\r\n");
    }

    @Test
    void senderWhoSaidQuitInOneGoWithTheDataIsRefusedLater() {
        SmtpSession quitting = session();
        ByteBuffer group = octets(ENVELOPE + MESSAGE + "QUIT\r\n");
        quitting.receive(group);
        quitting.settle(DeliveryOutcome.STORED);
        assertThat(quitting.receive(group).next()).isInstanceOf(Next.Close.class);
        quitting.abandon();

        assertThat(again()).contains("550 5.2.1 This address has had its one mail\r\n");
    }

    @Test
    void senderWhoFellSilentAfterThe250Hears250WithoutASecondDelivery() {
        SmtpSession silent = session();
        stored(silent);
        silent.end(Termination.IDLE);
        silent.abandon();

        assertThat(again()).endsWith("250 2.0.0 Stored as session.1\r\n");
    }

    private void stored(SmtpSession session) {
        ByteBuffer octets = octets(ENVELOPE + MESSAGE);
        assertThat(session.receive(octets).next()).isInstanceOf(Next.Deliver.class);
        session.settle(DeliveryOutcome.STORED);
        assertThat(text(session.receive(octets))).startsWith("250 2.0.0 Stored");
    }

    /** What the sender hears who comes again with the same mail; fails if it is delivered. */
    private String again() {
        SmtpSession session = session();
        Output envelope = play(session, ENVELOPE);
        if (text(envelope).contains("550")) {
            return text(envelope);
        }
        Output end = play(session, MESSAGE);
        assertThat(end.next()).isInstanceOf(Next.Read.class);
        session.abandon();
        return text(end);
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
        SmtpSession session = new SmtpSession(
                POLICY,
                recipients,
                new UnboundedMemory(),
                InstantSource.fixed(NOW),
                (_, _) -> {},
                new Client("session", InetAddress.getLoopbackAddress(), true));
        session.greet();
        return session;
    }

    private static final class UnboundedMemory implements MemoryBudget {
        @Override
        public boolean reserve(long octets) {
            return true;
        }

        @Override
        public void release(long octets) {}
    }
}
