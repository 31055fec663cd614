package dev.oneshot.contracts.log;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Metrics;
import io.quarkus.logging.LoggingFilter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.logging.Filter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jboss.logging.Logger;

/**
 * Limits the warnings of Kafka's clients, which log one at each attempt while a broker is away: logs the first warning, and a line
 * when there were none for ten seconds. The metric {@code oneshot.kafka.warnings} counts all of them.
 */
@LoggingFilter(name = "kafka-client-warnings")
public final class KafkaClientWarnings implements Filter {

    static final Duration QUIET = Duration.ofSeconds(10);

    private static final Logger LOG = Logger.getLogger(KafkaClientWarnings.class);
    private static final String CLIENTS = "org.apache.kafka.clients.";
    private static final Executor LATER =
            CompletableFuture.delayedExecutor(QUIET.toMillis(), TimeUnit.MILLISECONDS, Thread::startVirtualThread);

    private final Counter warnings = Counter.builder("oneshot.kafka.warnings")
            .description("Warnings of Kafka's clients, of which the log has the first and the end")
            .register(Metrics.globalRegistry);
    private long since;
    private long last;
    private long count;

    /** Whether a record is logged. Never false for errors, or for other loggers. */
    @Override
    public boolean isLoggable(LogRecord entry) {
        String logger = entry.getLoggerName();
        if (logger == null || !logger.startsWith(CLIENTS) || entry.getLevel().intValue() != Level.WARNING.intValue()) {
            return true;
        }
        warnings.increment();
        return isFirst();
    }

    private synchronized boolean isFirst() {
        last = System.nanoTime();
        count++;
        if (count > 1) {
            return false;
        }
        since = last;
        LATER.execute(this::endIfQuiet);
        return true;
    }

    private void endIfQuiet() {
        long ended;
        long seconds;
        synchronized (this) {
            if (System.nanoTime() - last < QUIET.toNanos()) {
                LATER.execute(this::endIfQuiet);
                return;
            }
            ended = count;
            seconds = TimeUnit.NANOSECONDS.toSeconds(last - since);
            count = 0;
        }
        LOG.infof("Kafka clients have no more warnings count=%d seconds=%d", ended, seconds);
    }
}
