package dev.oneshot.contracts.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KafkaClientWarningsTest {

    private static final String CLIENT = "org.apache.kafka.clients.NetworkClient";

    private final KafkaClientWarnings warnings = new KafkaClientWarnings();

    @Test
    void onlyTheFirstOfManyWarningsIsLogged() {
        List<Boolean> logged = Stream.generate(() -> isLogged(CLIENT, Level.WARNING))
                .limit(300)
                .toList();

        assertThat(logged.getFirst()).isTrue();
        assertThat(logged.subList(1, logged.size())).containsOnly(false);
    }

    @Test
    void theMetricCountsAlsoThoseThatAreNotLogged() {
        MeterRegistry registry = new SimpleMeterRegistry();
        Metrics.addRegistry(registry);
        try {
            isLogged(CLIENT, Level.WARNING);
            isLogged(CLIENT, Level.WARNING);
            isLogged(CLIENT, Level.SEVERE);

            assertThat(registry.get("oneshot.kafka.warnings").counter().count()).isEqualTo(2);
        } finally {
            Metrics.removeRegistry(registry);
        }
    }

    /** Each outage is two lines: its first warning, and its end after ten seconds without one. */
    @Test
    void theEndIsLoggedAndThenTheNextWarningAgain() {
        Lines ends = new Lines();
        Logger logger = Logger.getLogger(KafkaClientWarnings.class.getName());
        logger.addHandler(ends);
        try {
            isLogged(CLIENT, Level.WARNING);
            isLogged(CLIENT, Level.WARNING);

            await().atMost(Duration.ofMinutes(3)).until(() -> !ends.texts.isEmpty());
            assertThat(ends.texts).singleElement().asString().contains("count=2 ");
            assertThat(isLogged(CLIENT, Level.WARNING)).isTrue();
        } finally {
            logger.removeHandler(ends);
        }
    }

    @Test
    void aPollOfAClosedConsumerIsNoWarning() {
        LogRecord entry = new LogRecord(Level.WARNING, "SRMSG18285: Failed to poll consumer client");
        entry.setLoggerName("io.smallrye.reactive.messaging.kafka");
        entry.setThrown(new IllegalStateException("This consumer has already been closed."));
        assertThat(warnings.isLoggable(entry)).isFalse();

        entry.setThrown(new IllegalStateException("There is no offset"));
        assertThat(warnings.isLoggable(entry)).isTrue();
    }

    private boolean isLogged(@Nullable String logger, Level level) {
        LogRecord entry = new LogRecord(level, "node 1 is away");
        entry.setLoggerName(logger);
        return warnings.isLoggable(entry);
    }

    private static final class Lines extends Handler {

        private final Queue<String> texts = new ConcurrentLinkedQueue<>();

        @Override
        public void publish(LogRecord line) {
            texts.add(new SimpleFormatter().formatMessage(line));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
