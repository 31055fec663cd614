package dev.oneshot.expiry.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.expiry.database.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class KilledReplicaTest {

    private static final int ROWS = 15_000;
    private static final String SWEPT = "SELECT count(*) FROM address WHERE status = 'expired'";
    private static final String HALF_DONE = """
            SELECT count(*)
            FROM address FULL JOIN mail ON mail.address_id = address.id
            WHERE coalesce(address.status = 'received', false) <> (mail.address_id IS NOT NULL)""";

    private static final String SESSIONS_OF_SERVICE = "SELECT count(*) FROM pg_stat_activity WHERE usename = '"
            + TestDatabase.ROLE + "' AND datname = current_database()";

    private final TestDatabase database = TestDatabase.create();

    @Test
    void aKilledReplicaLeavesNothingHalfDoneAndAnotherFinishes() throws Exception {
        database.insertAddresses("over", ROWS - 1, "-2 seconds", true);
        database.insertAddresses("last", 1, "-1 second", true);
        // So that the sweeper cannot finish before it is killed.
        try (Connection holding = database.transaction("SELECT FROM mail WHERE address_id LIKE 'last%' FOR UPDATE")) {
            Process killed = SweeperProcess.start(database.configuration());
            Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> database.number(SWEPT) > 0);

            killed.destroyForcibly().waitFor();

            assertThat(database.number(SWEPT)).as("killed in the middle").isLessThan(ROWS);
            assertThat(database.number(HALF_DONE)).isZero();
            holding.rollback();
        }
        // Until then the killed one's session may still lock rows, which the other one would skip.
        Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> database.number(SESSIONS_OF_SERVICE) == 0);
        Process other = SweeperProcess.start(database.configuration());
        assertThat(other.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(other.exitValue()).isZero();
        assertThat(database.number(SWEPT)).isEqualTo(ROWS);
        assertThat(database.number("SELECT count(*) FROM mail")).isZero();
    }
}
