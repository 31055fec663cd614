package dev.oneshot.expiry.sweep;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jboss.logging.Logger;

/** When the sweeps run: each by itself, so that a backlog of one never delays the other. */
@Singleton
final class SweepSchedule {

    private static final Logger LOG = Logger.getLogger(SweepSchedule.class);

    private final MeterRegistry metrics;
    private final Sweeper expired;
    private final Sweeper forgotten;

    SweepSchedule(DataSource database, SweepConfig config, MeterRegistry metrics) {
        this.metrics = metrics;
        this.expired = new Sweeper(database, new ExpiredAddresses(config.batchSize()), config, metrics);
        this.forgotten =
                new Sweeper(database, new ForgottenAddresses(config.batchSize(), config.listedFor()), config, metrics);
    }

    @Scheduled(every = "${oneshot.expiry.period}", concurrentExecution = ConcurrentExecution.SKIP)
    void sweepExpired() {
        run(expired);
    }

    @Scheduled(every = "${oneshot.expiry.forget-period}", concurrentExecution = ConcurrentExecution.SKIP)
    void sweepForgotten() {
        run(forgotten);
    }

    void stop(@Observes ShutdownEvent event) {
        expired.stop();
        forgotten.stop();
    }

    /** A failed round is tried again by the next one; until then its rows are still there and the lag says so. */
    private void run(Sweeper sweeper) {
        try {
            long swept = sweeper.sweepAll();
            if (swept > 0) {
                LOG.debugf("swept sweep=%s rows=%d", sweeper.name(), swept);
            }
        } catch (SQLException e) {
            Sweeper.failures(metrics, sweeper.name()).increment();
            LOG.warnf("sweep failed sweep=%s sqlState=%s reason=%s", sweeper.name(), e.getSQLState(), e.getMessage());
        }
    }
}
