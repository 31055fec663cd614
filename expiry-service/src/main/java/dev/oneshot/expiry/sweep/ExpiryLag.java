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
 * The promise as metrics, in seconds since the expiry: the age of the oldest row whose content may still be there, be it
 * the summary or the mail; and the age of the oldest mail, which the sweep deletes with its row or the partition takes
 * along when its hour is over. Zero when all is swept, not a number while the database cannot be asked, or does not answer:
 * the last answer is then no longer true, and an alert tells the two apart.
 */
@Singleton
final class ExpiryLag {

    private static final Logger LOG = Logger.getLogger(ExpiryLag.class);

    // Most of the time the oldest row is of the present hour, and nobody looks for older partitions.
    private static final String OLDEST = """
            SELECT extract(epoch FROM now() - content)::float8, extract(epoch FROM now() - CASE
                WHEN content < present THEN greatest(content, coalesce(
                    (SELECT make_timestamptz(substr(name, 6, 4)::int, substr(name, 10, 2)::int, substr(name, 12, 2)::int,
                        substr(name, 14, 2)::int, 0, 0, 'UTC') FROM expired_mail_partitions('0') AS name LIMIT 1),
                    present))
                ELSE content
                END)::float8
            FROM (SELECT min(expires_at) AS content, date_trunc('hour', now(), 'UTC') AS present FROM address
                WHERE status <> 'expired' AND expires_at <= now())""";

    /** A connection of the pool waits longer: a batch may take so long, one look at an index never does. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(5);

    private final DataSource database;
    private volatile Lag lag = Lag.UNKNOWN;

    private record Lag(double contentSeconds, double mailSeconds) {

        private static final Lag UNKNOWN = new Lag(Double.NaN, Double.NaN);
    }

    ExpiryLag(DataSource database, MeterRegistry metrics) {
        this.database = database;
        Gauge.builder("oneshot.expiry.lag", this, ExpiryLag::contentSeconds)
                .description("Age since its expiry of the oldest expired content that is still there")
                .baseUnit("seconds")
                .strongReference(true)
                .register(metrics);
        Gauge.builder("oneshot.expiry.mail.lag", this, ExpiryLag::mailSeconds)
                .description("Age since its expiry of the oldest expired mail that is still there")
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
            connection.setNetworkTimeout(Runnable::run, (int) ANSWER_TIMEOUT.toMillis());
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
            // Without any both are null, which reads as zero.
            return new Lag(row.getDouble(1), row.getDouble(2));
        }
    }
}
