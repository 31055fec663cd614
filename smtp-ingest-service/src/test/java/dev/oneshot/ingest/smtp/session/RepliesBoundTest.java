package dev.oneshot.ingest.smtp.session;

import static dev.oneshot.ingest.transcript.PlayedSession.octets;
import static dev.oneshot.ingest.transcript.PlayedSession.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.ingest.smtp.session.Output.Next;
import dev.oneshot.ingest.transcript.PlayedSession;
import dev.oneshot.ingest.transcript.Transcript;
import dev.oneshot.ingest.transcript.TranscriptRecipients;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

/** Replies at once are bounded, however many commands arrive at once. */
class RepliesBoundTest {

    private static final String NOOP = "NOOP\r\n";
    private static final String REPLY = "250 2.0.0 OK\r\n";
    private static final int BOUND = 8 * 1024;
    // The last of them reaches the bound.
    private static final int AS_MANY_AS_ALLOWED = BOUND / REPLY.length() + 1;

    @Test
    void repliesUpToTheBoundAreSentAtOnceAndOneMoreAfterTheClientHasReadThem() {
        SmtpSession session = session();
        ByteBuffer octets = octets(NOOP.repeat(AS_MANY_AS_ALLOWED + 1));

        Output output = session.receive(octets);
        assertThat(text(output)).isEqualTo(REPLY.repeat(AS_MANY_AS_ALLOWED));
        assertThat(output.next()).isInstanceOf(Next.Read.class);
        assertThat(octets.remaining()).isEqualTo(NOOP.length());

        Output rest = session.proceed(octets);
        assertThat(text(rest)).isEqualTo(REPLY);
        assertThat(rest.next()).isInstanceOf(Next.Read.class);
    }

    @Test
    void commandsAfterQuitDoNotDelayTheClose() {
        SmtpSession session = session();

        Output output = session.receive(octets(NOOP.repeat(AS_MANY_AS_ALLOWED - 1) + "QUIT\r\n" + NOOP));

        assertThat(text(output)).endsWith("221 2.0.0 Bye\r\n");
        assertThat(output.next()).isInstanceOf(Next.Close.class);
    }

    @Test
    void largestGroupOfAMessageGetsItsRepliesAtOnce() {
        SmtpSession session = session();
        String recipients = "RCPT TO:<open@in.example>\r\n".repeat(100);

        Output output = session.receive(octets("EHLO client.example\r\nMAIL FROM:<>\r\n" + recipients + "DATA\r\n"));

        assertThat(text(output)).contains("354 ");
        assertThat(output.next()).isInstanceOf(Next.Read.class);
    }

    private static SmtpSession session() {
        return PlayedSession.greeted(
                Transcript.policyOf("recipientsMax=100", "commandsMax=10000"),
                new TranscriptRecipients(),
                new ExpectedRetries(InstantSource.system()));
    }
}
