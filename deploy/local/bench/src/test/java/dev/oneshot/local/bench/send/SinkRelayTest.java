package dev.oneshot.local.bench.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.local.bench.Load;
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
    void everyMailIsTakenAndToldByItsSender(SmtpMode mode) throws Exception {
        Deliveries deliveries = new Deliveries();
        byte[] content = Letter.content(100_000);
        try (SinkRelay relay = new SinkRelay(deliveries)) {
            Outcome outcome = Load.of(4, _ -> new SmtpLoad(relay.port(), mode, content, () -> "a@recipient.example"))
                    .peak(Duration.ZERO, Duration.ofMinutes(1), 50);

            assertThat(outcome.done()).isEqualTo(50);
            assertThat(deliveries.relayed()).isEqualTo(1);
            assertThat(deliveries.repeated()).isEqualTo(49);
        }
    }

    @Test
    void timesCountFromTheAcceptanceWhicheverIsToldFirst() {
        Deliveries deliveries = new Deliveries();

        deliveries.accepted("a", 1_000_000);
        deliveries.relayed("a", 3_000_000);
        deliveries.relayed("b", 1_000_000);
        deliveries.accepted("b", 2_000_000);
        deliveries.awaitAll();

        assertThat(deliveries.latency().count()).isEqualTo(2);
        assertThat(deliveries.latency().percentileMillis(50)).isZero();
        assertThat(deliveries.latency().percentileMillis(100)).isBetween(1.99, 2.01);
        assertThat(deliveries.repeated()).isZero();
    }
}
