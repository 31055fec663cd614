package dev.oneshot.expiry.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.expiry.database.TestDatabase;
import dev.oneshot.testing.TestSettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jboss.logging.Logger;
import org.junit.jupiter.api.Test;

/** Hours of constant churn: every hour mails arrive, expire, are swept, dropped and finally forgotten. */
class ChurnTest {

    private static final Logger LOG = Logger.getLogger(ChurnTest.class);

    private static final int MAILS_AN_HOUR = 1_000;
    private static final int HOURS_LISTED = 2;
    private static final int WARM_UP_HOURS = 6;
    private static final int HOURS = 24;
    private static final String MAIL_BYTES =
            "SELECT coalesce(sum(pg_total_relation_size(inhrelid)), 0) FROM pg_inherits WHERE inhparent = 'mail'::regclass";

    /** Tables with deletions. */
    private static final List<String> TABLES = List.of("address", "send_settlement", "kept_response");

    private static final SweepConfig SETTINGS =
            TestSettings.of(SweepConfig.class, "parallelism=2", "listed-for=3h30m", "settled-sends-kept=3h30m");

    private final TestDatabase database = TestDatabase.create();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();

    @Test
    void tablesAndIndexesReachASteadySize() throws SQLException {
        long emptyMailBytes = database.number(MAIL_BYTES);
        Map<String, Long> steadyBytes = new HashMap<>();

        for (int hour = 0; hour < HOURS; hour++) {
            churn(hour);
            if (hour == WARM_UP_HOURS) {
                TABLES.forEach(table -> steadyBytes.put(table, bytes(table)));
            }
        }

        assertThat(database.number(MAIL_BYTES))
                .as("all the hours that are over were given back whole")
                .isEqualTo(emptyMailBytes);
        TABLES.forEach(table -> {
            long before = Objects.requireNonNull(steadyBytes.get(table));
            LOG.infof(
                    "churn table=%s bytesAfter%dHours=%d bytesAfter%dHours=%d",
                    table, WARM_UP_HOURS, before, HOURS, bytes(table));
            assertThat(bytes(table))
                    .as("%s with its indexes, after %d hours of %d", table, HOURS, MAILS_AN_HOUR)
                    .isLessThanOrEqualTo(before * 5 / 4);
            assertThat(database.number("SELECT count(*) FROM " + table))
                    .as(table)
                    .isEqualTo(MAILS_AN_HOUR * HOURS_LISTED);
        });
    }

    /** Ages all rows by an hour and adds the mails of the next. */
    private void churn(int hour) throws SQLException {
        database.execute("UPDATE address SET expires_at = expires_at - interval '1 hour'");
        database.execute("UPDATE send_settlement SET settled_at = settled_at - interval '1 hour'");
        database.execute("UPDATE kept_response SET expires_at = expires_at - interval '1 hour'");
        database.insertAddresses("h" + hour + "x", MAILS_AN_HOUR, "-2 hours", true);
        database.execute("INSERT INTO send_settlement (address_id, outcome, attempts, settled_at) SELECT 'h" + hour
                + "x' || n, 'RELAYED', 1, now() - interval '2 hours' FROM generate_series(1, " + MAILS_AN_HOUR
                + ") AS n");
        database.execute("INSERT INTO kept_response (account_id, key, request_sha256, body, expires_at)"
                + " SELECT gen_random_uuid(), 'key', sha256(''), repeat('x', 200), now() + interval '1.5 hours'"
                + " FROM generate_series(1, " + MAILS_AN_HOUR + ")");
        assertThat(sweep(new ExpiredAddresses(SETTINGS))).isEqualTo(MAILS_AN_HOUR);
        sweep(OldRows.forgottenAddresses(SETTINGS));
        sweep(OldRows.settledSends(SETTINGS));
        sweep(OldRows.keptResponses(SETTINGS));
        database.execute("SELECT drop_expired_mail_partition('0', '1 second')");
        // Autovacuum would run later.
        TABLES.forEach(table -> database.execute("VACUUM " + table));
    }

    private long bytes(String table) {
        return database.number("SELECT pg_total_relation_size('" + table + "')");
    }

    private long sweep(Sweep sweep) throws SQLException {
        return new Sweeper(database.asService(), sweep, SETTINGS, metrics, () -> false).sweepAll();
    }
}
