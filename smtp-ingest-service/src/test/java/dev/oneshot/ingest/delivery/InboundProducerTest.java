package dev.oneshot.ingest.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.ingest.smtp.session.DeliveryOutcome;
import dev.oneshot.local.backends.quarkus.KafkaResource;
import dev.oneshot.testing.LogLines;
import io.opentelemetry.context.Context;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(KafkaResource.class)
class InboundProducerTest {

    private static final int MEBIBYTE = 1024 * 1024;

    /** With the large one below more than the producer's 40 MiB. */
    private static final int SMALL_RECORDS = 13;

    private final InboundProducer producer;

    InboundProducerTest(InboundProducer producer) {
        this.producer = producer;
    }

    @Test
    void largeRecordWaitsForMemoryThatOthersStillHold() {
        await().atMost(Duration.ofMinutes(3)).until(producer::isReady);
        Context trace = Context.root();
        byte[] small = new byte[2 * MEBIBYTE];
        byte[] large = new byte[20 * MEBIBYTE];
        for (int i = 0; i < SMALL_RECORDS; i++) {
            CompletionStage<DeliveryOutcome> _ = producer.send(new byte[] {1}, small, trace);
        }

        CompletableFuture<DeliveryOutcome> outcome = producer.withMemoryFor(
                        large.length, _ -> producer.send(new byte[] {2}, large, trace))
                .toCompletableFuture();

        assertThat(outcome.join()).isEqualTo(DeliveryOutcome.STORED);
    }

    /** While Kafka is down, no record is acknowledged. */
    @Test
    void recordsThatAreNotAcknowledgedAreTwoLinesOfTheLog() {
        await().atMost(Duration.ofMinutes(3)).until(producer::isReady);
        byte[] aboveAllMemory = new byte[41 * MEBIBYTE];
        try (LogLines log = LogLines.of(InboundProducer.class)) {
            for (int i = 0; i < 3; i++) {
                assertThat(producer.send(new byte[] {1}, aboveAllMemory, Context.root())
                                .toCompletableFuture()
                                .join())
                        .isEqualTo(DeliveryOutcome.UNAVAILABLE);
            }

            assertThat(log.texts()).singleElement().asString().startsWith("WARN mail not acknowledged code=451 cause=");
            await().atMost(Duration.ofMinutes(3)).until(() -> log.texts().size() > 1);
            assertThat(log.texts().getLast()).startsWith("INFO no more mail without acknowledgement records=3 ");
        }
    }

    @Test
    void refusalForLackOfMemoryIsLoggedWithItsReason() {
        await().atMost(Duration.ofMinutes(3)).until(producer::isReady);
        Context trace = Context.root();
        byte[] value = new byte[2 * MEBIBYTE];
        try (LogLines log = LogLines.of(InboundProducer.class)) {
            List<CompletableFuture<DeliveryOutcome>> outcomes = Stream.generate(
                            () -> producer.send(new byte[] {1}, value, trace).toCompletableFuture())
                    .limit(100)
                    .toList();

            assertThat(outcomes.stream().map(CompletableFuture::join)).contains(DeliveryOutcome.OVERLOADED);
            assertThat(log.texts())
                    .first()
                    .isEqualTo("WARN mail refused for memory code=452 records=1 exhausted=buffer.memory");
        }
    }
}
