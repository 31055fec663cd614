package dev.oneshot.mailer.sending;

import static org.awaitility.Awaitility.await;

import dev.oneshot.contracts.event.SendLease;
import dev.oneshot.contracts.trace.RecordSpans;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.context.Context;
import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.microprofile.reactive.messaging.Emitter;
import org.junit.jupiter.api.Test;

class LeasesTest {

    private final AtomicInteger calls = new AtomicInteger();

    @Test
    @SuppressWarnings("unchecked")
    void anErrorDoesNotEndTheExtensions() {
        Vertx vertx = Vertx.vertx();
        RecordSpans spans = new RecordSpans(OpenTelemetry.noop().getTracer("test"));
        Results results = new Results(failing(KafkaClientService.class), spans, failing(Emitter.class));

        Leases leases = new Leases(results, Clock.systemUTC(), vertx);
        var _ = leases.hold("a", new SendLease(Instant.now().plusSeconds(14), 0), Context.root());

        await().until(() -> calls.get() > 1);
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private <T> T failing(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (_, _, _) -> {
            calls.incrementAndGet();
            throw new StackOverflowError("of the test");
        }));
    }
}
