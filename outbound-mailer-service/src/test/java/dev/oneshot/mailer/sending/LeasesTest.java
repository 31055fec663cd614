package dev.oneshot.mailer.sending;

import static org.awaitility.Awaitility.await;

import dev.oneshot.contracts.event.SendLease;
import dev.oneshot.contracts.trace.TraceContext;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.reactive.messaging.kafka.KafkaClientService;
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
        Leases leases =
                new Leases(new Results(failing(KafkaClientService.class), failing(Emitter.class)), Clock.systemUTC());
        var _ = leases.hold("a", new SendLease(Instant.now().plusSeconds(14), 0), TraceContext.create());

        leases.start(new StartupEvent());

        await().until(() -> calls.get() > 1);
        leases.close();
    }

    private <T> T failing(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (_, _, _) -> {
            calls.incrementAndGet();
            throw new StackOverflowError("of the test");
        }));
    }
}
