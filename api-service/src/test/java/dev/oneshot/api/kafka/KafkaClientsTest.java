package dev.oneshot.api.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaClientsTest {

    @ParameterizedTest
    @ValueSource(strings = {"PT-0.001S", "PT10M0.001S"})
    void timeToStopIsBounded(Duration stopTimeout) {
        assertThatThrownBy(() -> new KafkaClients(new Stopping(stopTimeout)))
                .hasMessageContaining("oneshot.kafka.stop-timeout must be between PT0S and PT10M");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT10M"})
    void timeToStopAtTheEdgeIsTaken(Duration stopTimeout) {
        assertThatCode(() -> new KafkaClients(new Stopping(stopTimeout))).doesNotThrowAnyException();
    }

    /** One after the other they would take 200 seconds, and the process would be killed meanwhile. */
    @Test
    @Timeout(100)
    void threadsThatDoNotEndAreWaitedForTogether() throws InterruptedException {
        // Given
        KafkaClients clients = new KafkaClients(new Stopping(Duration.ofSeconds(1)));
        CountDownLatch end = new CountDownLatch(1);
        List<Thread> stuck = IntStream.range(0, 200)
                .mapToObj(i -> Thread.startVirtualThread(() -> awaitQuietly(end)))
                .toList();

        // When
        for (Thread thread : stuck) {
            assertThat(clients.awaitEnd(thread)).isFalse();
        }

        // Then
        end.countDown();
        for (Thread thread : stuck) {
            thread.join();
            assertThat(clients.awaitEnd(thread)).as("seen though time is over").isTrue();
        }
    }

    @Test
    void threadThatEndsIsWaitedFor() throws InterruptedException {
        KafkaClients clients = new KafkaClients(new Stopping(Duration.ofMinutes(10)));
        CountDownLatch end = new CountDownLatch(1);
        Thread thread = Thread.startVirtualThread(() -> awaitQuietly(end));

        Thread.startVirtualThread(end::countDown);

        assertThat(clients.awaitEnd(thread)).isTrue();
    }

    private static void awaitQuietly(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private record Stopping(Duration stopTimeout) implements KafkaConfig {

        @Override
        public String bootstrapServers() {
            return "127.0.0.1:9";
        }

        @Override
        public Map<String, String> client() {
            return Map.of();
        }

        @Override
        public Duration maxBlock() {
            return Duration.ofSeconds(1);
        }

        @Override
        public Duration deliveryTimeout() {
            return Duration.ofSeconds(30);
        }

        @Override
        public long closedBufferBytes() {
            return 1024;
        }
    }
}
