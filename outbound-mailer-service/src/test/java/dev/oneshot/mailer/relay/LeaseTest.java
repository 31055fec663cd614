package dev.oneshot.mailer.relay;

import static dev.oneshot.mailer.compose.ParsedMail.composed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.contracts.event.MailSettled.Failure;
import dev.oneshot.mailer.Requests;
import dev.oneshot.mailer.compose.SmtpMail;
import dev.oneshot.testing.HoldingScript;
import dev.oneshot.testing.ScriptedRelay;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An attempt whose lease has ended does not send the end of the data. */
class LeaseTest {

    private static final Duration STEP_TIMEOUT = Duration.ofMinutes(3);

    private final AtomicBoolean leased = new AtomicBoolean(true);
    private final HoldingScript script = new HoldingScript();
    private final ScriptedRelay server = new ScriptedRelay(script);
    private final Relay relay = new Relay(
            TestRelay.config(
                    Map.of("port", Integer.toString(server.port()), "reply-timeout", "30s", "attempt-timeout", "30s")),
            TestRelay.NO_SPANS);

    @AfterEach
    void close() throws IOException {
        relay.close();
        server.close();
    }

    @Test
    void anAttemptThatComesToTheEndOfTheDataTooLateDoesNotSendIt() {
        CompletableFuture<RelayResult> sending = heldAt(HoldingScript.BEFORE_DATA);

        leased.set(false);
        script.release();

        assertIsNotSent(sending, Failure.TIMEOUT);
    }

    @Test
    void aReplyToTheDataCountsAfterTheLease() {
        CompletableFuture<RelayResult> sending = heldAt(HoldingScript.BEFORE_250);

        leased.set(false);
        script.release();

        assertThat(sending).succeedsWithin(STEP_TIMEOUT).isInstanceOf(RelayResult.Relayed.class);
        assertThat(server.taken()).hasSize(1);
    }

    @Test
    void aStopBreaksOffWhatIsUnderWay() {
        CompletableFuture<RelayResult> sending = heldAt(HoldingScript.BEFORE_DATA);

        relay.close();

        assertThat(sending).succeedsWithin(STEP_TIMEOUT);
        script.release();
        assertIsNotSent(sending, Failure.CONNECTION);
    }

    /** An attempt may be about to connect when a stop closes the connections. */
    @Test
    void aConnectionMadeAfterAStopSendsNoEndOfTheData() {
        relay.close();

        assertIsNotSent(sending("ada@example.org"), Failure.TIMEOUT);
    }

    private CompletableFuture<RelayResult> heldAt(String recipient) {
        CompletableFuture<RelayResult> sending = sending(recipient);
        await().atMost(STEP_TIMEOUT).until(() -> script.hasHeld(recipient));
        return sending;
    }

    private CompletableFuture<RelayResult> sending(String recipient) {
        SmtpMail mail = composed(Requests.to(recipient));
        return CompletableFuture.supplyAsync(() -> relay.send(mail, leased::get), Thread::startVirtualThread);
    }

    private void assertIsNotSent(CompletableFuture<RelayResult> sending, Failure failure) {
        assertThat(sending).succeedsWithin(STEP_TIMEOUT).isEqualTo(new RelayResult.Failed(failure, null));
        await().atMost(STEP_TIMEOUT).until(() -> server.sessions() == 0);
        assertThat(server.taken()).isEmpty();
    }
}
