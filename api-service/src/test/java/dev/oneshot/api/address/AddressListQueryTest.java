package dev.oneshot.api.address;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.database.FreshDatabase;
import dev.oneshot.api.paging.Position;
import dev.oneshot.testing.TestSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Walks through lists with every combination of filters. */
class AddressListQueryTest {

    private static final int ADDRESSES = 60;
    static final String LABEL = "x";

    private static FreshDatabase database;
    private static UUID account;
    private static AddressStore addresses;

    /**
     * The newest is number 1. Every third is in send mode, every second of the others has its mail; every fourth has
     * expired, every eighth is also swept; every fifth has the label. Each pair was created in the same microsecond.
     */
    @BeforeAll
    static void fill() {
        database = FreshDatabase.create();
        addresses = new AddressStore(database.database(), TestSettings.of(AddressConfig.class, "address.keys=none"));
        account = database.account();
        String sql = """
                INSERT INTO address (id, account_id, mode, status, label, created_at, expires_at,
                    mail_from, mail_subject, mail_received_at, mail_size_bytes, mail_attachment_count)
                SELECT lpad((1000 - i)::text, 24, 'a'), ?, CASE WHEN i %% 3 = 0 THEN 'send' ELSE 'receive' END, status,
                    CASE WHEN i %% 5 = 0 THEN 'x' ELSE 'y' END, now() - (i / 2) * interval '1 second',
                    now() + CASE WHEN i %% 4 = 0 THEN interval '-1 second' ELSE interval '1 hour' END,
                    CASE WHEN mail THEN '' END, CASE WHEN mail THEN '' END, CASE WHEN mail THEN now() END,
                    CASE WHEN mail THEN 1 END, CASE WHEN mail THEN 0 END
                FROM generate_series(1, %d) AS i,
                    LATERAL (SELECT CASE WHEN i %% 8 = 0 THEN 'expired' WHEN i %% 3 = 0 THEN 'sent'
                        WHEN i %% 2 = 0 THEN 'received' ELSE 'waiting' END AS status) AS state,
                    LATERAL (SELECT status = 'received' AS mail) AS content""".formatted(ADDRESSES);
        database.execute(sql, account);
    }

    /** Every combination of filters. */
    static Stream<AddressFilter> filters() {
        List<AddressFilter> filters = new ArrayList<>();
        for (Status status : orNull(Status.values())) {
            for (Mode mode : orNull(Mode.values())) {
                filters.add(new AddressFilter(status, null, mode));
                filters.add(new AddressFilter(status, new Label(LABEL), mode));
            }
        }
        return filters.stream();
    }

    private static <T> List<@Nullable T> orNull(T[] values) {
        List<@Nullable T> all = new ArrayList<>(Arrays.asList(values));
        all.add(null);
        return all;
    }

    @ParameterizedTest
    @MethodSource("filters")
    void walkMeetsAllThatFitOnceInOrderAndOnlyItsLastPageIsNotFull(AddressFilter filter) {
        List<Integer> expected = IntStream.rangeClosed(1, ADDRESSES)
                .filter(i -> fits(filter, i))
                .boxed()
                .toList();

        for (int limit : List.of(1, 2, 7, 100)) {
            assertThat(walk(filter, limit)).as("limit %d", limit).isEqualTo(expected);
        }
    }

    private static boolean fits(AddressFilter filter, int i) {
        Mode mode = i % 3 == 0 ? Mode.SEND : Mode.RECEIVE;
        Status alive = mode == Mode.SEND ? Status.SENT : i % 2 == 0 ? Status.RECEIVED : Status.WAITING;
        Status status = i % 4 == 0 ? Status.EXPIRED : alive;
        return (filter.mode() == null || filter.mode() == mode)
                && (filter.status() == null || filter.status() == status)
                && (filter.label() == null || i % 5 == 0);
    }

    private static List<Integer> walk(AddressFilter filter, int limit) {
        List<Integer> met = new ArrayList<>();
        Position after = Position.TOP;
        List<Address> rows;
        do {
            rows = addresses.list(account, filter, limit, after);
            for (Address item : rows) {
                met.add(1000 - Integer.parseInt(item.id().replace("a", "")));
                after = new Position(item.createdAt(), item.id());
            }
        } while (rows.size() == limit);
        return met;
    }
}
