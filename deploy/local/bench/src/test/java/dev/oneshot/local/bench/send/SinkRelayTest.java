package dev.oneshot.local.bench.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.local.bench.Load.Outcome;
import dev.oneshot.local.bench.ingest.SampleMessage;
import dev.oneshot.local.bench.ingest.SmtpLoad;
import dev.oneshot.local.bench.ingest.SmtpMode;
import dev.oneshot.testing.ScriptedRelay.Mail;
import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class SinkRelayTest {

    @Test
    void everyMailIsAcceptedAndRecordedByItsSender() throws Exception {
        byte[] content = SampleMessage.content(100_000);
        try (SinkRelay relay = new SinkRelay()) {
            Outcome outcome = SmtpLoad.of(4, relay.port(), SmtpMode.KEPT, content, () -> "a@recipient.example")
                    .peak(Duration.ofMinutes(1), 50);

            assertThat(outcome.done()).isEqualTo(50);
            assertThat(relay.relayed()).isEqualTo(1);
            assertThat(relay.repeated()).isEqualTo(49);
        }
    }

    @Test
    void latencyStartsAtTheAcceptanceWhicheverIsRecordedFirst() throws Exception {
        try (SinkRelay relay = new SinkRelay()) {
            relay.expect("a", 1_000_000);
            relay.data(mail("a", 3_000_000));
            relay.data(mail("b", 1_000_000));
            relay.expect("b", 2_000_000);
            relay.awaitAll();
            Histogram latency = relay.latencySince(0);

            assertThat(latency.getTotalCount()).isEqualTo(2);
            assertThat(latency.getValueAtPercentile(50)).isZero();
            assertThat(latency.getMaxValue()).isBetween(1_990_000L, 2_010_000L);
            assertThat(relay.repeated()).isZero();
        }
    }

    private static Mail mail(String id, long atNanos) {
        return new Mail(id + "@send.example", "to@recipient.example", "", "", atNanos);
    }
}
