package dev.oneshot.expiry.partition;

import dev.oneshot.expiry.BeforeMigration;
import dev.oneshot.expiry.Rounds;
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
    private volatile double expired = Double.NaN;

    PartitionSchedule(MailPartitions partitions, PartitionConfig config, MeterRegistry metrics, Rounds rounds) {
        this.rounds = rounds;
        this.partitions = partitions;
        this.config = config;
        Gauge.builder("oneshot.expiry.partitions.expired", this, schedule -> schedule.expired)
                .description("Partitions whose hour is over and which are not dropped yet")
                .strongReference(true)
                .register(metrics);
        List.of(CREATE, ATTACH, DROP, COUNT).forEach(rounds::register);
    }

    @Scheduled(
            every = "${oneshot.expiry.partition.period}",
            concurrentExecution = ConcurrentExecution.SKIP,
            skipExecutionIf = BeforeMigration.class)
    void maintain() {
        rounds.run(CREATE, this::createMissing);
        rounds.run(ATTACH, this::attachDetached);
        rounds.run(DROP, this::dropExpired);
        rounds.run(COUNT, this::measure);
    }

    private void createMissing() throws SQLException {
        int count = partitions.createAhead(config.ahead());
        if (count > 0) {
            LOG.infof("mail partitions created count=%d", count);
        }
    }

    private void attachDetached() throws SQLException {
        for (String name : partitions.attachDetached(config.ahead())) {
            LOG.warnf("mail partition was detached, attached again partition=%s", name);
        }
    }

    private void dropExpired() throws SQLException {
        try {
            Optional<String> name = dropOldest();
            while (name.isPresent()) {
                LOG.infof("mail partition dropped partition=%s", name.get());
                name = dropOldest();
            }
        } catch (SQLException e) {
            if (!LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
                throw e;
            }
            LOG.infof("mail partition in use, retrying the drop lockTimeout=%s", config.lockTimeout());
        }
    }

    private Optional<String> dropOldest() throws SQLException {
        return partitions.dropOldest(config.dropDelay(), config.lockTimeout());
    }

    private void measure() throws SQLException {
        try {
            expired = partitions.countExpired(config.dropDelay());
        } catch (SQLException e) {
            expired = Double.NaN;
            throw e;
        }
    }
}
