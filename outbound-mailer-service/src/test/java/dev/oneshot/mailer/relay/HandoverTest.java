package dev.oneshot.mailer.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.mailer.Requests;
import dev.oneshot.mailer.compose.ComposedMail;
import dev.oneshot.mailer.compose.MimeComposer;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Up to where a mail can be withdrawn, and when it may go. */
class HandoverTest {

    private static final ComposedMail MAIL = MimeComposer.compose(Requests.mail("s", "Hello\n", null, List.of()));
    private static final Duration STEP_TIMEOUT = Duration.ofSeconds(30);
    private static final String END_OF_DATA = ".";

    @Test
    void aMailThatIsWithdrawnWhileTheRelayConsidersItIsNotSent() throws Exception {
        HoldingScript script = new HoldingScript("DATA");
        try (ScriptedRelay server = new ScriptedRelay(script)) {
            Handover handover = TestRelayConfig.ours();
            CompletableFuture<RelayResult> sending = sending(server, handover);
            script.awaitReached();

            handover.withdraw();

            assertThat(result(sending)).isEqualTo(new RelayResult.Withdrawn());
            script.release();
            await().atMost(STEP_TIMEOUT).until(() -> server.sessions() == 0);
            assertThat(server.taken()).isEmpty();
        }
    }

    @Test
    void aMailThatIsWithdrawnBeforeItBeginsIsNotSent() throws IOException {
        try (ScriptedRelay server = new ScriptedRelay(new ScriptedRelay.Script() {})) {
            Handover handover = TestRelayConfig.ours();
            handover.withdraw();

            assertThat(new Relay(TestRelayConfig.plain(server.port())).send(MAIL, handover))
                    .isEqualTo(new RelayResult.Withdrawn());
            assertThat(server.taken()).isEmpty();
        }
    }

    @Test
    void aMailWhoseDataHasEndedCannotBeWithdrawn() throws Exception {
        HoldingScript script = new HoldingScript(END_OF_DATA);
        try (ScriptedRelay server = new ScriptedRelay(script)) {
            Handover handover = TestRelayConfig.ours();
            CompletableFuture<RelayResult> sending = sending(server, handover);
            script.awaitReached();

            handover.withdraw();

            assertThat(handover.isWithdrawn()).isFalse();
            script.release();
            assertThat(result(sending)).isInstanceOf(RelayResult.Relayed.class);
            assertThat(server.taken()).hasSize(1);
        }
    }

    @Test
    void theEndOfTheDataWaitsUntilTheMailIsKnownToBeOurs() throws Exception {
        HoldingScript script = new HoldingScript(END_OF_DATA);
        try (ScriptedRelay server = new ScriptedRelay(script)) {
            Handover handover = new Handover(System.nanoTime());
            AtomicReference<Thread> sender = new AtomicReference<>();
            CompletableFuture<RelayResult> sending = sending(server, handover, task -> {
                Thread thread = Thread.ofPlatform().unstarted(task);
                sender.set(thread);
                thread.start();
            });
            await().atMost(STEP_TIMEOUT).until(() -> isWaitingIn("mayEnd", sender.get()));
            assertThat(script.isReached()).isFalse();

            handover.oursUntil(System.nanoTime() + STEP_TIMEOUT.toNanos());

            script.awaitReached();
            script.release();
            assertThat(result(sending)).isInstanceOf(RelayResult.Relayed.class);
        }
    }

    @Test
    void aMailThatIsNoLongerOursIsNotSent() throws Exception {
        try (ScriptedRelay server = new ScriptedRelay(new ScriptedRelay.Script() {})) {
            Handover handover = new Handover(System.nanoTime());
            CompletableFuture<RelayResult> sending = sending(server, handover);
            await().atMost(STEP_TIMEOUT).until(() -> server.commands().contains("DATA"));

            handover.withdraw();

            assertThat(result(sending)).isEqualTo(new RelayResult.Withdrawn());
            await().atMost(STEP_TIMEOUT).until(() -> server.sessions() == 0);
            assertThat(server.taken()).isEmpty();
        }
    }

    @Test
    void aMailThatIsWithdrawnAfterItsAttemptDoesNotEndTheNextOneOnItsConnection() throws Exception {
        HoldingScript script = new HoldingScript("DATA");
        ScriptedRelay.Script refusing = new ScriptedRelay.Script() {
            @Override
            public String command(String line) {
                return line.startsWith("RCPT") ? "550 5.1.1 who?" : "250 2.0.0 ok";
            }
        };
        try (ScriptedRelay server = new ScriptedRelay(refusing)) {
            Relay relay = relay(server);
            Handover refused = TestRelayConfig.ours();
            assertThat(relay.send(MAIL, refused)).isInstanceOf(RelayResult.Refused.class);
            server.become(script);
            CompletableFuture<RelayResult> sending = CompletableFuture.supplyAsync(
                    () -> relay.send(MAIL, TestRelayConfig.ours()), Thread::startVirtualThread);
            script.awaitReached();

            refused.withdraw();

            script.release();
            assertThat(result(sending)).isInstanceOf(RelayResult.Relayed.class);
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    private static boolean isWaitingIn(String method, Thread thread) {
        return thread.getState() == Thread.State.WAITING
                && Arrays.stream(thread.getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals(method));
    }

    private static Relay relay(ScriptedRelay server) {
        return new Relay(TestRelayConfig.plain(server.port()).patience(STEP_TIMEOUT, STEP_TIMEOUT));
    }

    private static CompletableFuture<RelayResult> sending(ScriptedRelay server, Handover handover) {
        return sending(server, handover, Thread::startVirtualThread);
    }

    private static CompletableFuture<RelayResult> sending(ScriptedRelay server, Handover handover, Executor threads) {
        Relay relay = relay(server);
        return CompletableFuture.supplyAsync(() -> relay.send(MAIL, handover), threads);
    }

    private static RelayResult result(CompletableFuture<RelayResult> sending) throws Exception {
        return sending.get(STEP_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }

    /** Holds its client at a command, or at the end of the data, until it is released. */
    private static final class HoldingScript implements ScriptedRelay.Script {

        private final String step;
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        HoldingScript(String step) {
            this.step = step;
        }

        void awaitReached() throws InterruptedException {
            assertThat(reached.await(STEP_TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }

        boolean isReached() {
            return reached.getCount() == 0;
        }

        void release() {
            released.countDown();
        }

        @Override
        public String command(String line) {
            hold(line);
            return ScriptedRelay.Script.super.command(line);
        }

        @Override
        public String data(ScriptedRelay.Mail mail) {
            hold(END_OF_DATA);
            return ScriptedRelay.Script.super.data(mail);
        }

        private void hold(String at) {
            if (at.equals(step)) {
                reached.countDown();
                try {
                    released.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }
}
