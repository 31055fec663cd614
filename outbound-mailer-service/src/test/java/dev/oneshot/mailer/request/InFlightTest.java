package dev.oneshot.mailer.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.MailSettled;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.local.backends.TemporaryBackends;
import dev.oneshot.mailer.Requests;
import dev.oneshot.mailer.relay.ScriptedRelay;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** How much is done at once. */
class InFlightTest {

    private static final Duration STEP_TIMEOUT = Duration.ofSeconds(60);
    private static final int REQUESTS = 300;
    private static final int CONCURRENCY = 16;

    @Test
    void moreRecordsThanConnectionsAreAtHandButNotAnyNumber() throws Exception {
        AtomicInteger held = new AtomicInteger();
        CountDownLatch released = new CountDownLatch(1);
        ScriptedRelay.Script holding = new ScriptedRelay.Script() {
            @Override
            public String command(String line) {
                if (line.startsWith("MAIL FROM:")) {
                    held.incrementAndGet();
                    try {
                        released.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
                return ScriptedRelay.Script.super.command(line);
            }
        };
        try (MailerHarness harness = new MailerHarness(TemporaryBackends.kafka());
                ScriptedRelay relay = new ScriptedRelay(holding)) {
            Set<String> ids = new HashSet<>();
            for (int i = 0; i < REQUESTS; i++) {
                MailRequested request = Requests.to("ada@example.org");
                ids.add(request.addressId());
                var _ = harness.request(request);
            }
            harness.flush();
            var _ = harness.started(relay.port(), Duration.ofSeconds(60), 3);

            await().atMost(STEP_TIMEOUT)
                    .until(() -> inFlight(harness) >= CONCURRENCY * InFlight.READ_AHEAD && held.get() >= CONCURRENCY);

            assertThat(inFlight(harness)).isLessThan(2 * CONCURRENCY * InFlight.READ_AHEAD);
            assertThat(held).hasValue(CONCURRENCY);
            assertThat(relay.connections()).isEqualTo(CONCURRENCY);
            released.countDown();
            await().atMost(STEP_TIMEOUT).until(() -> settled(harness).containsAll(ids));
            harness.stopMailers();
        }
    }

    private static double inFlight(MailerHarness harness) {
        return harness.gauge("oneshot.mailer.in.flight", Topic.MAIL_REQUESTED);
    }

    private static Set<String> settled(MailerHarness harness) {
        return harness.settled().stream().map(MailSettled::addressId).collect(Collectors.toSet());
    }
}
