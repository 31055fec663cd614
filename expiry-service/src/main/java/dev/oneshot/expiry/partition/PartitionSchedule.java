package dev.oneshot.expiry.partition;

import dev.oneshot.expiry.BeforeMigration;
import dev.oneshot.expiry.Rounds;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Creates, attaches and drops partitions. A failure of one task does not affect the others. */
@Singleton
final class PartitionSchedule {

    private static final Logger LOG = Logger.getLogger(PartitionSchedule.class);
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private static final String CREATE = "create-partitions";
    private static final String ATTACH = "attach-partitions";
    private static final String DROP = "drop-partitions";
    private static final String COUNT = "count-partitions";

    private final Rounds rounds;
    private final MailPartitions partitions;
    private final PartitionConfig config;
    private final Counter created;
    private final Counter attached;
    private final Counter dropped;
    private final Counter lockTimeouts;
    private final MeterRegistry metrics;
    private volatile double expired = Double.NaN;

    PartitionSchedule(MailPartitions partitions, PartitionConfig config, MeterRegistry metrics, Rounds rounds) {
        this.rounds = rounds;
        this.partitions = partitions;
        this.config = config;
        this.metrics = metrics;
        this.created = Counter.builder("oneshot.expiry.partitions.created").register(metrics);
        this.attached = Counter.builder("oneshot.expiry.partitions.attached")
                .description("Partitions found detached before the end of their hour, and attached again")
                .register(metrics);
        this.dropped = Counter.builder("oneshot.expiry.partitions.dropped").register(metrics);
        this.lockTimeouts = Counter.builder("oneshot.expiry.partitions.lock.timeouts")
                .description("Drops to be retried, as the table was in use for longer than the lock timeout")
                .register(metrics);
        Gauge.builder("oneshot.expiry.partitions.expired", this, schedule -> schedule.expired)
                .description("Partitions whose hour is over and which are not dropped yet")
                .strongReference(true)
                .register(metrics);
        // An alert on the first failure needs a zero before it.
        List.of(CREATE, ATTACH, DROP, COUNT).forEach(this::failures);
    }

    private Counter failures(String task) {
        return Counter.builder("oneshot.expiry.failures")
                .description("Failed rounds, which are retried")
                .tag("task", task)
                .register(metrics);
    }

    @Scheduled(
            every = "${oneshot.expiry.partition.period}",
            concurrentExecution = ConcurrentExecution.SKIP,
            skipExecutionIf = BeforeMigration.class)
    void createAhead() {
        rounds.run(this::createMissing);
        rounds.run(this::attachDetached);
    }

    private void createMissing() {
        try {
            int count = partitions.createAhead(config.ahead());
            if (count > 0) {
                created.increment(count);
                LOG.infof("mail partitions created count=%d", count);
            }
        } catch (SQLException e) {
            failed(CREATE, e);
        }
    }

    private void attachDetached() {
        try {
            for (String name : partitions.attachDetached(config.ahead())) {
                attached.increment();
                LOG.warnf("mail partition was detached, attached again partition=%s", name);
            }
        } catch (SQLException e) {
            failed(ATTACH, e);
        }
    }

    @Scheduled(
            every = "${oneshot.expiry.partition.period}",
            concurrentExecution = ConcurrentExecution.SKIP,
            skipExecutionIf = BeforeMigration.class)
    void dropExpired() {
        rounds.run(this::dropAndMeasure);
    }

    private void dropAndMeasure() {
        try {
            dropAll();
        } catch (SQLException e) {
            if (LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
                lockTimeouts.increment();
                LOG.infof("mail partition in use, retrying the drop lockTimeout=%s", config.lockTimeout());
            } else {
                failed(DROP, e);
            }
        }
        measure();
    }

    private void dropAll() throws SQLException {
        Optional<String> name = partitions.dropOldest(config.dropDelay(), config.lockTimeout());
        while (name.isPresent()) {
            dropped.increment();
            LOG.infof("mail partition dropped partition=%s", name.get());
            name = partitions.dropOldest(config.dropDelay(), config.lockTimeout());
        }
    }

    private void measure() {
        try {
            expired = partitions.countExpired(config.dropDelay());
        } catch (SQLException e) {
            expired = Double.NaN;
            failed(COUNT, e);
        }
    }

    private void failed(String task, SQLException e) {
        failures(task).increment();
        LOG.warnf("partitions failed task=%s sqlState=%s reason=%s", task, e.getSQLState(), e.getMessage());
    }
}
