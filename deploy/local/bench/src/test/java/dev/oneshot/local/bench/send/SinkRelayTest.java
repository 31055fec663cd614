package dev.oneshot.local.bench.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.local.bench.Latency;
import dev.oneshot.local.bench.Load.Outcome;
import dev.oneshot.local.bench.ingest.Letter;
import dev.oneshot.local.bench.ingest.SmtpLoad;
import dev.oneshot.local.bench.ingest.SmtpMode;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SinkRelayTest {

    @ParameterizedTest
    @EnumSource(SmtpMode.class)
    void everyMailIsAcceptedAndRecordedByItsSender(SmtpMode mode) throws Exception {
        Deliveries deliveries = new Deliveries();
        byte[] content = Letter.content(100_000);
        try (SinkRelay relay = new SinkRelay(deliveries)) {
            Outcome outcome = SmtpLoad.of(4, relay.port(), mode, content, () -> "a@recipient.example")
                    .peak(Duration.ZERO, Duration.ofMinutes(1), 50);

            assertThat(outcome.done()).isEqualTo(50);
            assertThat(deliveries.relayed()).isEqualTo(1);
            assertThat(deliveries.repeated()).isEqualTo(49);
        }
    }

    @Test
    void latencyStartsAtTheAcceptanceWhicheverIsRecordedFirst() {
        Deliveries deliveries = new Deliveries();

        deliveries.accepted("a", 1_000_000);
        deliveries.relayed("a", 3_000_000);
        deliveries.relayed("b", 1_000_000);
        deliveries.accepted("b", 2_000_000);
        deliveries.awaitAll();
        Latency latency = deliveries.latencySince(0);

        assertThat(latency.count()).isEqualTo(2);
        assertThat(latency.percentileMillis(50)).isZero();
        assertThat(latency.percentileMillis(100)).isBetween(1.99, 2.01);
        assertThat(deliveries.repeated()).isZero();
    }
}
