package dev.oneshot.expiry.sweep;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jboss.logging.Logger;

/**
 * The promise as a metric: the age in seconds, since its expiry, of the oldest expired row whose content may still be
 * there. Zero when all is swept, not a number while the database cannot be asked.
 */
@Singleton
final class ExpiryLag {

    private static final Logger LOG = Logger.getLogger(ExpiryLag.class);

    private static final String OLDEST = """
            SELECT coalesce(extract(epoch FROM now() - min(expires_at)), 0)::float8
            FROM address
            WHERE status <> 'expired' AND expires_at <= now()""";

    private final DataSource database;
    private volatile double seconds = Double.NaN;

    ExpiryLag(DataSource database, MeterRegistry metrics) {
        this.database = database;
        Gauge.builder("oneshot.expiry.lag", this, lag -> lag.seconds)
                .description("Age since its expiry of the oldest expired content that is still there")
                .baseUnit("seconds")
                .strongReference(true)
                .register(metrics);
    }

    @Scheduled(every = "${oneshot.expiry.period}", concurrentExecution = ConcurrentExecution.SKIP)
    void measure() {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(OLDEST);
                ResultSet row = statement.executeQuery()) {
            row.next();
            seconds = row.getDouble(1);
        } catch (SQLException e) {
            seconds = Double.NaN;
            LOG.debugf("expiry lag unknown sqlState=%s", e.getSQLState());
        }
    }
}
