package dev.oneshot.mailer.request;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.contracts.event.Topic;
import dev.oneshot.local.backends.TemporaryBackends;
import dev.oneshot.mailer.Requests;
import dev.oneshot.mailer.relay.ScriptedRelay;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class BacklogTest {

    private static final MailerHarness HARNESS = new MailerHarness(TemporaryBackends.kafka());

    @AfterAll
    static void stop() {
        HARNESS.stopMailers();
        HARNESS.close();
    }

    @Test
    void retriesThatWaitAreCountedUntilTheyAreDone() throws Exception {
        ScriptedRelay.Script away = new ScriptedRelay.Script() {
            @Override
            public String greeting() {
                return "421 4.3.2 not now";
            }
        };
        try (ScriptedRelay relay = new ScriptedRelay(away)) {
            var _ = HARNESS.started(relay.port(), ofSeconds(4), 10);
            for (int i = 0; i < 3; i++) {
                HARNESS.request(Requests.to("ada@example.org")).get();
            }
            await().atMost(ofSeconds(30))
                    .untilAsserted(() -> assertThat(waiting()).isBetween(3.0, 6.0));

            relay.become(new ScriptedRelay.Script() {});

            await().atMost(ofSeconds(30)).untilAsserted(() -> {
                assertThat(relay.taken()).hasSize(3);
                assertThat(waiting()).isZero();
            });
        }
    }

    private static double waiting() {
        return HARNESS.gauge("oneshot.mailer.backlog", Topic.MAIL_RETRY_SHORT);
    }
}
