package dev.oneshot.api.sending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oneshot.api.TestBean;
import dev.oneshot.api.database.FreshDatabase;
import dev.oneshot.contracts.trace.RecordSpans;
import dev.oneshot.testing.TestSettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import jakarta.enterprise.event.Event;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.eclipse.microprofile.reactive.messaging.Emitter;
import org.junit.jupiter.api.Test;

class OutboxRelayTest {

    private final FreshDatabase database = FreshDatabase.create();
    private final AtomicInteger passes = new AtomicInteger();

    @Test
    void anErrorInAPassDoesNotEndTheRelay() throws Exception {
        OutboxRelay relay = relay(Duration.ofMinutes(1));
        relay.start(new StartupEvent());

        await().until(() -> passes.get() > 1);

        relay.beginToStop(new ShutdownEvent());
        relay.stop(new ShutdownEvent());
    }

    @Test
    void aLeaseThatIsTooShortToSendUnderStopsTheStart() {
        assertThat(relay(Duration.ofSeconds(15))).isNotNull();
        assertThatThrownBy(() -> relay(Duration.ofMillis(14_999)))
                .hasMessage("oneshot.sending.lease must be from PT15S to less than PT24H, not PT14.999S");
    }

    @SuppressWarnings("unchecked")
    private OutboxRelay relay(Duration lease) {
        DueMails dueMails = new DueMails(
                TestBean.unused(KafkaClientService.class),
                TestBean.unused(Admin.class),
                TestBean.unused(Emitter.class));
        Settlements settlements = new Settlements(database.database(), new SimpleMeterRegistry());
        RecordSpans spans = new RecordSpans(OpenTelemetry.noop().getTracer("test"));
        Outbox failing =
                new Outbox(database.database(), settlements, TestBean.unused(Event.class), spans, Clock.systemUTC()) {
                    @Override
                    void expire(int rowsMax) {
                        passes.incrementAndGet();
                        throw new StackOverflowError("of the test");
                    }
                };
        return new OutboxRelay(
                failing,
                dueMails,
                TestSettings.of(OutboxRelay.Config.class, "lease=" + lease),
                new SimpleMeterRegistry());
    }
}
