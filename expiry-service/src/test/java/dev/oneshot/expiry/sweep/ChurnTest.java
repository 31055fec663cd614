package dev.oneshot.expiry.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.expiry.database.TestDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Hours of constant churn, compressed: every hour mails come, expire, are swept, dropped and at last forgotten. */
class ChurnTest {

    private static final int MAILS_AN_HOUR = 2_000;
    private static final int HOURS_LISTED = 2;
    private static final int WARM_UP_HOURS = 6;
    private static final int HOURS = 24;
    private static final String ADDRESS_BYTES = "SELECT pg_total_relation_size('address')";
    private static final String MAIL_BYTES =
            "SELECT coalesce(sum(pg_total_relation_size(inhrelid)), 0) FROM pg_inherits WHERE inhparent = 'mail'::regclass";

    private final TestDatabase database = TestDatabase.create();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();

    @Test
    void tablesAndIndexesReachASteadySize() throws SQLException {
        long emptyMailBytes = database.number(MAIL_BYTES);
        long steadyAddressBytes = 0;

        for (int hour = 0; hour < HOURS; hour++) {
            churn(hour);
            if (hour == WARM_UP_HOURS) {
                steadyAddressBytes = database.number(ADDRESS_BYTES);
            }
        }

        assertThat(database.number(MAIL_BYTES))
                .as("all the hours that are over were given back whole")
                .isEqualTo(emptyMailBytes);
        assertThat(database.number(ADDRESS_BYTES))
                .as("rows and indexes, after %d hours of %d", HOURS, MAILS_AN_HOUR)
                .isLessThanOrEqualTo(steadyAddressBytes * 5 / 4);
        assertThat(database.number("SELECT count(*) FROM address")).isEqualTo(MAILS_AN_HOUR * HOURS_LISTED);
    }

    /** One hour goes by, for those that are there already and for the mails of this hour. */
    private void churn(int hour) throws SQLException {
        database.execute("UPDATE address SET expires_at = expires_at - interval '1 hour'");
        database.insertAddresses("h" + hour + "x", MAILS_AN_HOUR, "-2 hours", true);
        SettingsForTest settings = SettingsForTest.batches(500, 2);
        Duration listedFor = Duration.ofHours(1L + HOURS_LISTED).plusMinutes(30);

        assertThat(sweep(new ExpiredAddresses(settings.batchSize()), settings)).isEqualTo(MAILS_AN_HOUR);
        sweep(new ForgottenAddresses(settings.batchSize(), listedFor), settings);
        database.execute("SELECT drop_expired_mail_partition('0', '1 second')");
        // As autovacuum does in its own time.
        database.execute("VACUUM address");
    }

    private long sweep(Sweep sweep, SettingsForTest settings) throws SQLException {
        return new Sweeper(database.asService(), sweep, settings, metrics).sweepAll();
    }
}
