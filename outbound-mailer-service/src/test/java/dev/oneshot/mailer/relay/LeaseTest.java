package dev.oneshot.mailer.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.contracts.event.MailSettled.Failure;
import dev.oneshot.mailer.HoldingScript;
import dev.oneshot.mailer.Requests;
import dev.oneshot.mailer.compose.ComposedMail;
import dev.oneshot.mailer.compose.MimeComposer;
import dev.oneshot.testing.ScriptedRelay;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** An attempt whose lease has ended does not send the end of the data. */
class LeaseTest {

    private static final ComposedMail MAIL = MimeComposer.compose(Requests.mail("s", "Hello\n", null, List.of()));
    private static final Duration STEP_TIMEOUT = Duration.ofSeconds(30);

    private final AtomicBoolean leased = new AtomicBoolean(true);

    @Test
    void anAttemptThatComesToTheEndOfTheDataTooLateDoesNotSendIt() throws Exception {
        HoldingScript script = new HoldingScript("DATA", "ada@example.org", "250 2.0.0 queued");
        try (ScriptedRelay server = new ScriptedRelay(script)) {
            CompletableFuture<RelayResult> sending = sending(relay(server));
            script.awaitReached();

            leased.set(false);
            script.release();

            assertThat(result(sending)).isEqualTo(new RelayResult.Failed(Failure.TIMEOUT, null));
            await().atMost(STEP_TIMEOUT).until(() -> server.sessions() == 0);
            assertThat(server.taken()).isEmpty();
        }
    }

    @Test
    void aReplyToTheDataCountsAfterTheLease() throws Exception {
        HoldingScript script = new HoldingScript(".", "ada@example.org", "250 2.0.0 queued");
        try (ScriptedRelay server = new ScriptedRelay(script)) {
            CompletableFuture<RelayResult> sending = sending(relay(server));
            script.awaitReached();

            leased.set(false);
            script.release();

            assertThat(result(sending)).isInstanceOf(RelayResult.Relayed.class);
            assertThat(server.taken()).hasSize(1);
        }
    }

    @Test
    void aStopBreaksOffWhatIsUnderWay() throws Exception {
        HoldingScript script = new HoldingScript("DATA", "ada@example.org", "250 2.0.0 queued");
        try (ScriptedRelay server = new ScriptedRelay(script)) {
            Relay relay = relay(server);
            CompletableFuture<RelayResult> sending = sending(relay);
            script.awaitReached();

            relay.close();

            assertThat(result(sending)).isEqualTo(new RelayResult.Failed(Failure.CONNECTION, null));
            script.release();
            await().atMost(STEP_TIMEOUT).until(() -> server.sessions() == 0);
            assertThat(server.taken()).isEmpty();
        }
    }

    /** An attempt may be about to connect when a stop closes the connections. */
    @Test
    void aConnectionMadeAfterAStopSendsNoEndOfTheData() throws Exception {
        try (ScriptedRelay server = new ScriptedRelay(new ScriptedRelay.Script() {})) {
            Relay relay = relay(server);
            relay.close();

            assertThat(result(sending(relay))).isEqualTo(new RelayResult.Failed(Failure.TIMEOUT, null));

            await().atMost(STEP_TIMEOUT).until(() -> server.sessions() == 0);
            assertThat(server.taken()).isEmpty();
        }
    }

    private static Relay relay(ScriptedRelay server) {
        return new Relay(TestRelay.config(
                Map.of("port", Integer.toString(server.port()), "reply-timeout", "30s", "attempt-timeout", "30s")));
    }

    private CompletableFuture<RelayResult> sending(Relay relay) {
        return CompletableFuture.supplyAsync(() -> relay.send(MAIL, leased::get), Thread::startVirtualThread);
    }

    private static RelayResult result(CompletableFuture<RelayResult> sending) throws Exception {
        return sending.get(STEP_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }
}
