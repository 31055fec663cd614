package dev.oneshot.expiry.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.expiry.database.TestDatabase;
import dev.oneshot.testing.TestSettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The lag when the deletion of rows has fallen behind and partitions are still dropped. */
class ExpiryLagTest {

    private static final double HOUR = Duration.ofHours(1).toSeconds();

    private final TestDatabase database = TestDatabase.create();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final ExpiryLag lag = new ExpiryLag(database.asService(), metrics);

    @Test
    void lagIsUnknownWhileTheDatabaseDoesNotRespond() throws SQLException {
        database.insertAddresses("later", 1, "1 minute", true);
        lag.measure();
        try (Connection _ = database.begin("LOCK TABLE address IN ACCESS EXCLUSIVE MODE")) {

            lag.measure();

            assertThat(lag.contentSeconds()).isNaN();
            assertThat(lag.mailSeconds()).isNaN();
        }

        lag.measure();

        assertThat(lag.contentSeconds()).isZero();
        assertThat(lag.mailSeconds()).isZero();
    }

    @Test
    void mailIsAsOldAsItsRowWhileItsPartitionIsThere() {
        database.insertAddresses("late", 1, "-3 hours", true);

        lag.measure();

        assertThat(lag.contentSeconds()).isGreaterThanOrEqualTo(3 * HOUR);
        assertThat(lag.mailSeconds()).isEqualTo(lag.contentSeconds());
    }

    @Test
    void droppingBoundsTheAgeOfMailByOnePartitionThoughNoRowWasSwept() throws SQLException {
        for (int hours = 0; hours <= 5; hours++) {
            database.insertAddresses("h" + hours, 10, "-" + hours + " hours", true);
        }

        while (database.number("SELECT count(*) FROM expired_mail_partitions('0')") > 0) {
            lag.measure();
            assertThat(lag.mailSeconds())
                    .as("a mail of the oldest hour is there")
                    .isGreaterThan(0);
            database.execute("SELECT drop_expired_mail_partition('0', '1 second')");
        }
        lag.measure();

        assertThat(lag.mailSeconds()).isBetween(0.0, HOUR);
        assertThat(lag.contentSeconds()).as("the summaries are there").isGreaterThanOrEqualTo(5 * HOUR);

        SweepConfig settings = TestSettings.of(SweepConfig.class, "batch-size=7");
        new Sweeper(database.asService(), new ExpiredAddresses(settings), settings, metrics, () -> false).sweepAll();
        lag.measure();

        assertThat(lag.contentSeconds()).isZero();
        assertThat(lag.mailSeconds()).isZero();
    }
}
