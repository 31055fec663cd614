package dev.oneshot.mailer.sending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.local.backends.quarkus.KafkaResource;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import io.smallrye.reactive.messaging.kafka.KafkaConsumer;
import jakarta.enterprise.inject.spi.CDI;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(KafkaResource.class)
@WithTestResource(RelayResource.class)
class DueConsumerTest {

    private final CountDownLatch claiming = new CountDownLatch(1);
    private final CompletableFuture<List<Object>> claimed = new CompletableFuture<>();

    /** If the stop does not wait, the mails of the batch are neither sent nor given back. */
    @Test
    void stopWaitsForTheBatchThatIsBeingTaken() throws Exception {
        KafkaConsumer<?, ?> kafka = proxy(KafkaConsumer.class, () -> {
            claiming.countDown();
            return Uni.createFrom().completionStage(claimed);
        });
        DueConsumer consumer = new DueConsumer(
                proxy(KafkaClientService.class, () -> kafka),
                CDI.current().select(Attempts.class).get());
        FutureTask<Boolean> taking = new FutureTask<>(() -> {
            consumer.take(ConsumerRecords.empty());
            return true;
        });
        FutureTask<Boolean> stopping = new FutureTask<>(() -> {
            consumer.stop(new ShutdownEvent());
            return claimed.isDone();
        });
        Thread.ofPlatform().start(taking);
        claiming.await();

        Thread stopper = Thread.ofPlatform().start(stopping);
        await().until(() -> stopper.getState() == Thread.State.TIMED_WAITING);
        claimed.complete(List.of());

        assertThat(stopping.get()).isTrue();
        taking.get();
    }

    private interface Response {
        Object get();
    }

    private static <T> T proxy(Class<T> type, Response response) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (_, _, _) -> response.get()));
    }
}
