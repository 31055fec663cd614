package dev.oneshot.contracts.log;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Metrics;
import io.quarkus.logging.LoggingFilter;
import java.util.logging.Filter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jboss.logging.Logger;

/**
 * Limits the warnings of Kafka's clients, which log one at each attempt while a broker is away: logs the first warning, and a line
 * when there were none for ten seconds. The metric {@code oneshot.kafka.warnings} counts all of them. Drops the warning of a poll that
 * comes after the connector has closed its consumer, because the service stops.
 */
@LoggingFilter(name = "kafka-client-warnings")
public final class KafkaClientWarnings implements Filter {

    private static final Logger LOG = Logger.getLogger(KafkaClientWarnings.class);
    private static final String CLIENTS = "org.apache.kafka.clients.";
    private static final String CONNECTOR = "io.smallrye.reactive.messaging.kafka";

    private final Counter warnings = Counter.builder("oneshot.kafka.warnings")
            .description("Warnings of Kafka's clients, of which the log has the first and the end")
            .register(Metrics.globalRegistry);
    private final RepeatedFault fault = new RepeatedFault(
            (count, seconds) -> LOG.infof("Kafka clients have no more warnings count=%d seconds=%d", count, seconds));

    /** Whether a record is logged. False only for warnings of Kafka's clients and of the connector. */
    @Override
    public boolean isLoggable(LogRecord entry) {
        String logger = entry.getLoggerName();
        if (logger == null || entry.getLevel().intValue() != Level.WARNING.intValue()) {
            return true;
        }
        if (logger.equals(CONNECTOR)) {
            return !isOfClosedConsumer(entry);
        }
        if (!logger.startsWith(CLIENTS)) {
            return true;
        }
        warnings.increment();
        return fault.begins();
    }

    private static boolean isOfClosedConsumer(LogRecord entry) {
        return entry.getThrown() instanceof IllegalStateException closed
                && "This consumer has already been closed.".equals(closed.getMessage());
    }
}
