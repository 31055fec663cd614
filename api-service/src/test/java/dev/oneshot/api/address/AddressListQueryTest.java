package dev.oneshot.api.address;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.database.FreshDatabase;
import dev.oneshot.api.paging.Page;
import dev.oneshot.api.paging.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists that have to look for what they show, among a bounded number of addresses. */
class AddressListQueryTest {

    private static final UUID ACCOUNT = UUID.randomUUID();
    private static final int ADDRESSES = 12;

    private static FreshDatabase database;

    /** The newest is number 1. Every third was sent, every fourth has expired, the sixth and the last in label x. */
    @BeforeAll
    static void fill() {
        database = FreshDatabase.create();
        database.execute(
                "INSERT INTO account (id, name, plan, api_key_sha256, created_at) VALUES (?, 'a', 'scale', '', now())",
                ACCOUNT);
        String sql = """
                INSERT INTO address (id, account_id, mode, status, label, created_at, expires_at)
                SELECT lpad(i::text, 24, 'a'), ?, CASE WHEN i %% 3 = 0 THEN 'send' ELSE 'receive' END,
                    CASE WHEN i = 4 THEN 'expired' WHEN i %% 3 = 0 THEN 'sent' ELSE 'waiting' END,
                    CASE WHEN i %% 6 = 0 THEN 'x' END, now() - i * interval '1 second',
                    now() + CASE WHEN i %% 4 = 0 THEN interval '-1 second' ELSE interval '1 hour' END
                FROM generate_series(1, %d) AS i""".formatted(ADDRESSES);
        database.execute(sql, ACCOUNT);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 11, 12, 13, 100})
    void walkMeetsAllThatFitOnceInOrder(int lookedAtMax) {
        for (int limit : List.of(1, 2, 3, 20)) {
            assertThat(walk(filter(null, null, Mode.SEND), limit, lookedAtMax)).containsExactly(3, 6, 9, 12);
            assertThat(walk(filter(Status.EXPIRED, null, null), limit, lookedAtMax))
                    .containsExactly(4, 8, 12);
            assertThat(walk(filter(Status.EXPIRED, null, Mode.SEND), limit, lookedAtMax))
                    .containsExactly(12);
            assertThat(walk(filter(Status.EXPIRED, "x", null), limit, lookedAtMax))
                    .containsExactly(12);
            assertThat(walk(filter(Status.SENT, null, Mode.SEND), limit, lookedAtMax))
                    .containsExactly(3, 6, 9);
            assertThat(walk(filter(Status.SENT, null, Mode.RECEIVE), limit, lookedAtMax))
                    .isEmpty();
            assertThat(walk(filter(Status.WAITING, null, Mode.SEND), limit, lookedAtMax))
                    .isEmpty();
            assertThat(walk(filter(null, null, null), limit, lookedAtMax)).hasSize(ADDRESSES);
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 0, true", "3, 1, true", "11, 3, true", "12, 4, false", "13, 4, false"})
    void pageEndsWhereTheLookEndsUnlessNothingIsBehind(int lookedAtMax, int found, boolean goesOn) {
        Page<Address> page = page(filter(null, null, Mode.SEND), 20, lookedAtMax, null);

        assertThat(page.items()).hasSize(found);
        assertThat(page.next() != null).isEqualTo(goesOn);
    }

    @Test
    void fullPageEndsWithItsLastItem() {
        Page<Address> page = page(filter(null, null, Mode.SEND), 1, 12, null);

        assertThat(page.items()).hasSize(1);
        Address last = page.items().getFirst();
        assertThat(page.next()).isEqualTo(new Position(last.createdAt(), last.id()));
    }

    private static AddressFilter filter(@Nullable Status status, @Nullable String label, @Nullable Mode mode) {
        return new AddressFilter(status, Label.ofNullable(label), mode);
    }

    private static List<Integer> walk(AddressFilter filter, int limit, int lookedAtMax) {
        List<Integer> met = new ArrayList<>();
        Position after = null;
        do {
            Page<Address> page = page(filter, limit, lookedAtMax, after);
            page.items().forEach(item -> met.add(Integer.parseInt(item.id().replace("a", ""))));
            after = page.next();
        } while (after != null);
        return met;
    }

    private static Page<Address> page(AddressFilter filter, int limit, int lookedAtMax, @Nullable Position after) {
        AddressListQuery query = new AddressListQuery(ACCOUNT, filter, lookedAtMax);
        return database.database().transaction(connection -> query.page(connection, limit, after));
    }
}
