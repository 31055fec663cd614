package dev.oneshot.expiry.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.expiry.database.TestDatabase;
import dev.oneshot.testing.TestSettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class OldRowsTest {

    /** Batches of two rows: five rows take three. */
    private static final SweepConfig SETTINGS = TestSettings.of(
            SweepConfig.class, "batch-size=2", "parallelism=2", "listed-for=10m", "settled-sends-kept=10m");

    private final TestDatabase database = TestDatabase.create();

    static Arguments[] keptForTenMinutesBeginningWith() {
        return new Arguments[] {
            Arguments.of(
                    named(OldRows::settledSends),
                    "send_settlement",
                    "INSERT INTO send_settlement (address_id, outcome, attempts, settled_at)"
                            + " SELECT 'a' || n || '%1$s', 'RELAYED', 1, now() - interval '%1$s'"
                            + " FROM generate_series(1, %2$d) AS n"),
            Arguments.of(
                    named(OldRows::keptResponses),
                    "kept_response",
                    "INSERT INTO kept_response (account_id, key, request_sha256, body, expires_at)"
                            + " SELECT gen_random_uuid(), 'the same', sha256(''), '',"
                            + " now() - interval '%1$s' + interval '10 minutes' FROM generate_series(1, %2$d)"),
            Arguments.of(
                    named(OldRows::forgottenAddresses),
                    "address",
                    "INSERT INTO address (id, account_id, mode, status, created_at, expires_at)"
                            + " SELECT lpad(n || '%1$s', 24, '0'), (SELECT id FROM account), 'receive', 'expired',"
                            + " now() - interval '1 day', now() - interval '%1$s' FROM generate_series(1, %2$d) AS n")
        };
    }

    @ParameterizedTest
    @MethodSource("keptForTenMinutesBeginningWith")
    void whatIsOlderGoesAndWhatIsYoungerStays(Function<SweepConfig, Sweep> rows, String table, String insert)
            throws SQLException {
        database.execute(insert.formatted("10 minutes 1 second", 5));
        database.execute(insert.formatted("9 minutes 30 seconds", 3));

        long deleted = sweep(rows);

        assertThat(deleted).isEqualTo(5);
        assertThat(database.number("SELECT count(*) FROM " + table)).isEqualTo(3);
    }

    @ParameterizedTest
    @MethodSource("keptForTenMinutesBeginningWith")
    void whatAnotherReplicaHasLockedIsLeftToIt(Function<SweepConfig, Sweep> rows, String table, String insert)
            throws SQLException {
        database.execute(insert.formatted("11 minutes", 1));
        try (Connection _ = database.begin("SELECT FROM " + table + " FOR UPDATE")) {

            assertThat(sweep(rows)).isZero();
        }

        assertThat(sweep(rows)).isEqualTo(1);
    }

    @Test
    void anAddressWhoseContentWasNotSweptIsNotForgotten() throws SQLException {
        database.insertAddresses("unswept", 1, "-1 day", true);

        assertThat(sweep(OldRows::forgottenAddresses)).isZero();

        assertThat(database.number("SELECT count(*) FROM mail")).isEqualTo(1);
    }

    private long sweep(Function<SweepConfig, Sweep> rows) throws SQLException {
        SimpleMeterRegistry metrics = new SimpleMeterRegistry();
        return new Sweeper(database.asService(), rows.apply(SETTINGS), SETTINGS, metrics, () -> false).sweepAll();
    }

    private static Function<SweepConfig, Sweep> named(Function<SweepConfig, Sweep> rows) {
        return rows;
    }
}
