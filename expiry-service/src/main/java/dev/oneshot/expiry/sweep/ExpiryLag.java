package dev.oneshot.expiry.sweep;

import dev.oneshot.expiry.BeforeMigration;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jboss.logging.Logger;

/**
 * Metrics of the deletion lag in seconds since the expiry: of the oldest row with a summary or mail, and of the
 * oldest mail, which is deleted with its row or its partition. Zero when all is swept; NaN while the database does
 * not respond, so that an alert can tell the two apart.
 */
@Singleton
final class ExpiryLag {

    private static final Logger LOG = Logger.getLogger(ExpiryLag.class);

    // The oldest row is usually of the present hour, so older partitions are rarely searched.
    private static final String OLDEST = """
            SELECT extract(epoch FROM now() - content)::float8, extract(epoch FROM now() - CASE
                WHEN content < present THEN greatest(content, coalesce(
                    (SELECT make_timestamptz(substr(name, 6, 4)::int, substr(name, 10, 2)::int, substr(name, 12, 2)::int,
                        substr(name, 14, 2)::int, 0, 0, 'UTC') FROM expired_mail_partitions('0') AS name LIMIT 1),
                    present))
                ELSE content
                END)::float8
            FROM (SELECT min(expires_at) AS content, date_trunc('hour', now(), 'UTC') AS present FROM address
                WHERE status <> 'expired' AND expires_at <= now()) AS oldest""";

    /** Shorter than the timeouts of the pool: a batch may take long, an index probe must not. */
    private static final Duration QUERY_TIMEOUT = Duration.ofSeconds(5);

    private final DataSource database;
    private volatile Lag lag = Lag.UNKNOWN;

    private record Lag(double contentSeconds, double mailSeconds) {

        private static final Lag UNKNOWN = new Lag(Double.NaN, Double.NaN);
    }

    ExpiryLag(DataSource database, MeterRegistry metrics) {
        this.database = database;
        Gauge.builder("oneshot.expiry.lag", this, ExpiryLag::contentSeconds)
                .description("Age since its expiry of the oldest expired content that is not deleted yet")
                .baseUnit("seconds")
                .strongReference(true)
                .register(metrics);
        Gauge.builder("oneshot.expiry.mail.lag", this, ExpiryLag::mailSeconds)
                .description("Age since its expiry of the oldest expired mail that is not deleted yet")
                .baseUnit("seconds")
                .strongReference(true)
                .register(metrics);
    }

    double contentSeconds() {
        return lag.contentSeconds();
    }

    double mailSeconds() {
        return lag.mailSeconds();
    }

    @Scheduled(
            every = "${oneshot.expiry.period}",
            concurrentExecution = ConcurrentExecution.SKIP,
            skipExecutionIf = BeforeMigration.class)
    void measure() {
        try (Connection connection = database.getConnection()) {
            int usual = connection.getNetworkTimeout();
            connection.setNetworkTimeout(Runnable::run, (int) QUERY_TIMEOUT.toMillis());
            try {
                lag = oldest(connection);
            } finally {
                connection.setNetworkTimeout(Runnable::run, usual);
            }
        } catch (SQLException e) {
            lag = Lag.UNKNOWN;
            LOG.debugf("expiry lag unknown sqlState=%s", e.getSQLState());
        }
    }

    private static Lag oldest(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(OLDEST);
                ResultSet row = statement.executeQuery()) {
            row.next();
            // Both are null without such rows, which reads as zero.
            return new Lag(row.getDouble(1), row.getDouble(2));
        }
    }
}
