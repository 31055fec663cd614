package dev.oneshot.expiry.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.expiry.database.TestDatabase;
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

    private final TestDatabase database = TestDatabase.create();

    @Test
    void aKilledReplicaLeavesNothingHalfDoneAndAnotherFinishes() throws Exception {
        database.insertAddresses("over", ROWS, "-1 second", true);
        Process killed = SweeperProcess.start(database.configuration());
        Awaitility.await()
                .pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(30))
                .until(() -> database.number(SWEPT) > 0);

        killed.destroyForcibly().waitFor();

        assertThat(database.number(SWEPT)).as("killed in the middle").isLessThan(ROWS);
        assertThat(database.number(HALF_DONE)).isZero();
        Process other = SweeperProcess.start(database.configuration());
        assertThat(other.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(other.exitValue()).isZero();
        assertThat(database.number(SWEPT)).isEqualTo(ROWS);
        assertThat(database.number("SELECT count(*) FROM mail")).isZero();
    }
}
