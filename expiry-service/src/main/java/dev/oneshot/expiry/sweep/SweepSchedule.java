package dev.oneshot.expiry.sweep;

import dev.oneshot.expiry.BeforeMigration;
import dev.oneshot.expiry.Rounds;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jboss.logging.Logger;

/** Schedules the sweeps: content on its own, so that a backlog of bare rows never delays it. */
@Singleton
final class SweepSchedule {

    private static final Logger LOG = Logger.getLogger(SweepSchedule.class);

    private final MeterRegistry metrics;
    private final Rounds rounds;
    private final Sweeper expired;
    private final List<Sweeper> old;

    SweepSchedule(DataSource database, SweepConfig config, MeterRegistry metrics, Rounds rounds) {
        this.metrics = metrics;
        this.rounds = rounds;
        this.expired = new Sweeper(database, new ExpiredAddresses(config), config, metrics);
        this.old = Stream.of(
                        OldRows.forgottenAddresses(config),
                        OldRows.settledSends(config),
                        OldRows.idempotentAnswers(config),
                        OldRows.accountChanges(config))
                .map(sweep -> new Sweeper(database, sweep, config, metrics))
                .toList();
    }

    @Scheduled(
            every = "${oneshot.expiry.period}",
            concurrentExecution = ConcurrentExecution.SKIP,
            skipExecutionIf = BeforeMigration.class)
    void sweepExpired() {
        rounds.run(() -> run(expired));
    }

    @Scheduled(
            every = "${oneshot.expiry.forget-period}",
            concurrentExecution = ConcurrentExecution.SKIP,
            skipExecutionIf = BeforeMigration.class)
    void sweepOld() {
        old.forEach(sweeper -> rounds.run(() -> run(sweeper)));
    }

    void stop(@Observes ShutdownEvent event) {
        expired.stop();
        old.forEach(Sweeper::stop);
    }

    /** A failed round is logged; the next round tries its rows again, and the lag shows them until then. */
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
