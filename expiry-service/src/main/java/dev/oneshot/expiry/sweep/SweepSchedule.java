package dev.oneshot.expiry.sweep;

import dev.oneshot.expiry.BeforeMigration;
import dev.oneshot.expiry.Rounds;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.inject.Singleton;
import java.util.List;
import javax.sql.DataSource;
import org.jboss.logging.Logger;

/** Schedules the sweeps: content on its own, so that a backlog of bare rows never delays it. */
@Singleton
final class SweepSchedule {

    private static final Logger LOG = Logger.getLogger(SweepSchedule.class);

    private final Rounds rounds;
    private final Sweeper expired;
    private final List<Sweeper> old;

    SweepSchedule(DataSource database, SweepConfig config, MeterRegistry metrics, Rounds rounds) {
        this.rounds = rounds;
        this.expired = new Sweeper(database, new ExpiredAddresses(config), config, metrics, rounds::isStopping);
        this.old = OldRows.all(config).stream()
                .map(sweep -> new Sweeper(database, sweep, config, metrics, rounds::isStopping))
                .toList();
        rounds.register(expired.name());
        old.forEach(sweeper -> rounds.register(sweeper.name()));
    }

    @Scheduled(
            every = "${oneshot.expiry.period}",
            concurrentExecution = ConcurrentExecution.SKIP,
            skipExecutionIf = BeforeMigration.class)
    void sweepExpired() {
        run(expired);
    }

    @Scheduled(
            every = "${oneshot.expiry.forget-period}",
            concurrentExecution = ConcurrentExecution.SKIP,
            skipExecutionIf = BeforeMigration.class)
    void sweepOld() {
        old.forEach(this::run);
    }

    /** After a failed round, the next tries its rows again, and the lag shows them until then. */
    private void run(Sweeper sweeper) {
        rounds.run(sweeper.name(), () -> {
            long swept = sweeper.sweepAll();
            if (swept > 0) {
                LOG.debugf("swept sweep=%s rows=%d", sweeper.name(), swept);
            }
        });
    }
}
