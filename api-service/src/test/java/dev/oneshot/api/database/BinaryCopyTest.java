package dev.oneshot.api.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.oneshot.contracts.event.Octets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BinaryCopyTest {

    private static final String COPY = "COPY copied (id, at, octets) FROM STDIN (FORMAT binary)";
    private static final Instant AT = Instant.parse("2026-11-23T06:15:42.123456Z");
    private static final int LARGE = 5 * 1024 * 1024;

    private static FreshDatabase database;

    private record Copied(String id, Instant at, Octets octets) {}

    @BeforeAll
    static void createTable() {
        database = FreshDatabase.create();
        database.execute(
                "CREATE TABLE copied (id text NOT NULL UNIQUE, at timestamptz NOT NULL, octets bytea NOT NULL)");
    }

    @BeforeEach
    void empty() {
        database.execute("TRUNCATE copied");
    }

    @Test
    void rowsAreStoredAsTheyAreWhateverTheirLength() {
        byte[] array = new byte[200_000];
        new Random(1).nextBytes(array);
        List<Copied> rows = List.of(
                new Copied("none", Instant.EPOCH, Octets.of(array, 7, 0)),
                new Copied("grüße", AT, Octets.of(array, 3, 100)),
                new Copied("as long as the buffer", AT, Octets.of(array, 1, 65_536)),
                new Copied("longer than the buffer", AT, Octets.of(array, 5, 150_000)),
                new Copied("behind it", AT, Octets.of(array, 0, 60_000)));

        copy(rows);

        assertThat(database.database()
                        .rows(
                                "SELECT id, at, octets FROM copied",
                                row -> new Copied(
                                        row.getString(1),
                                        row.getObject(2, OffsetDateTime.class).toInstant(),
                                        Octets.of(row.getBytes(3)))))
                .containsExactlyInAnyOrderElementsOf(rows);
    }

    @Test
    void manyBytesTakeSeveralStatementsOfOneTransaction() {
        Octets large = Octets.of(new byte[LARGE]);
        List<Copied> rows = List.of(
                new Copied("1", AT, large),
                new Copied("2", AT, large),
                new Copied("3", AT, large),
                new Copied("4", AT, large),
                new Copied("5", AT, large));

        copy(rows);

        assertThat(4L * LARGE).isGreaterThan(BinaryCopy.STATEMENT_BYTES);
        assertThat(database.number("SELECT count(*) FROM copied")).isEqualTo(5);
        assertThat(database.number("SELECT count(DISTINCT xmin::text) FROM copied"))
                .isEqualTo(1);
    }

    @Test
    void noRowIsStoredIfOneIsRejected() {
        Copied row = new Copied("twice", AT, Octets.of(new byte[100_000]));

        DatabaseFaultException failure =
                catchThrowableOfType(DatabaseFaultException.class, () -> copy(Collections.nCopies(2, row)));

        assertThat(failure.isUniqueViolation()).isTrue();
        assertThat(database.number("SELECT count(*) FROM copied")).isZero();
    }

    @Test
    void failureWhileARowIsMadeEndsTheStatement() {
        IllegalStateException failure = catchThrowableOfType(
                IllegalStateException.class,
                () -> database.transaction(() -> {
                    database.database().copyAll(COPY, List.of("x"), _ -> {
                        throw new IllegalStateException("no columns");
                    });
                    return "done";
                }));

        assertThat(Throwables.getStackTrace(failure)).contains("no columns");
        assertThat(database.number("SELECT count(*) FROM copied")).isZero();
    }

    private static void copy(List<Copied> rows) {
        var _ = database.transaction(() -> {
            database.database().copyAll(COPY, rows, row -> new Object[] {row.id(), row.at(), row.octets()});
            return rows.size();
        });
    }
}
