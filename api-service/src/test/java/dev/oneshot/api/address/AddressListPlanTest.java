package dev.oneshot.api.address;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.oneshot.api.database.FreshDatabase;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What a list reads when the account has a month of expired addresses in front of the few that are alive. */
class AddressListPlanTest {

    private static final int EXPIRED = 100_000;
    private static final int LIMIT = 20;
    private static final int OTHERS = 20_000;
    private static final UUID ACCOUNT = UUID.randomUUID();
    private static final UUID OTHER = UUID.randomUUID();

    private static FreshDatabase database;

    @BeforeAll
    static void fill() {
        database = FreshDatabase.create();
        for (UUID account : List.of(ACCOUNT, OTHER)) {
            database.execute(
                    "INSERT INTO account (id, name, plan, api_key_sha256, created_at)"
                            + " VALUES (?, 'a', 'scale', convert_to(?, 'UTF8'), now())",
                    account,
                    account.toString());
        }
        insert(ACCOUNT, "receive", "waiting", "1 hour", "2 hours", 10);
        insert(ACCOUNT, "receive", "received", "1 hour", "2 hours", 10);
        insert(ACCOUNT, "send", "sent", "1 hour", "2 hours", 10);
        insert(ACCOUNT, "receive", "expired", "-1 hour", "1 hour", EXPIRED);
        insert(OTHER, "receive", "waiting", "1 hour", "1 hour", OTHERS);
        database.execute("ANALYZE address");
    }

    @ParameterizedTest
    @EnumSource(value = Status.class, mode = Mode.EXCLUDE, names = "EXPIRED")
    void fewThatAreAliveAreFoundWithoutReadingTheExpiredOnes(Status status) {
        JsonNode plan = plan(new AddressFilter(status, null, null));

        assertThat(plan.path("Actual Rows").asDouble()).isEqualTo(10);
        assertThat(rowsRead(plan)).isEqualTo(10);
    }

    @Test
    void listOfAllReadsNoMoreThanAPage() {
        assertThat(rowsRead(plan(new AddressFilter(null, null, null)))).isEqualTo(LIMIT + 1);
    }

    @Test
    void modeThatMostAddressesHaveIsFoundInThoseOfAPage() {
        assertThat(rowsRead(plan(new AddressFilter(null, null, dev.oneshot.api.address.Mode.RECEIVE))))
                .isEqualTo(LIMIT + 1);
    }

    @Test
    void modeThatFewAddressesHaveIsLookedForAmongABoundedNumber() {
        JsonNode plan = plan(new AddressFilter(null, null, dev.oneshot.api.address.Mode.SEND));

        assertThat(plan.path("Actual Rows").asDouble()).isZero();
        assertThat(rowsRead(plan)).isEqualTo(AddressStore.LOOKED_AT_MAX);
    }

    private static void insert(UUID account, String mode, String status, String left, String age, int rows) {
        String sql = """
                INSERT INTO address (id, account_id, mode, status, created_at, expires_at,
                    mail_from, mail_subject, mail_received_at, mail_size_bytes, mail_attachment_count)
                SELECT left(md5(? || ? || i), 24), ?, ?, ?,
                    now() - ?::interval + i * interval '1 microsecond', now() + ?::interval,
                    CASE WHEN mail THEN '' END, CASE WHEN mail THEN '' END, CASE WHEN mail THEN now() END,
                    CASE WHEN mail THEN 1 END, CASE WHEN mail THEN 0 END
                FROM generate_series(1, ?) AS i, (SELECT ? = 'received' AS mail)""";
        database.execute(sql, account.toString(), status, account, mode, status, age, left, rows, status);
    }

    private static JsonNode plan(AddressFilter filter) {
        String explained = database.database().transaction(connection -> {
            AddressListQuery query = new AddressListQuery(ACCOUNT, filter, AddressStore.LOOKED_AT_MAX);
            if (!query.isByIndex()) {
                try (Statement look = connection.createStatement()) {
                    look.execute(AddressListQuery.ONE_LOOK);
                }
            }
            try (PreparedStatement explain =
                    connection.prepareStatement("EXPLAIN (ANALYZE, FORMAT JSON) " + query.sql(true))) {
                explain.setInt(query.bind(explain, null), LIMIT + 1);
                try (ResultSet result = explain.executeQuery()) {
                    result.next();
                    return result.getString(1);
                }
            }
        });
        try {
            return new ObjectMapper().readTree(explained).path(0).path("Plan");
        } catch (JsonProcessingException e) {
            throw new AssertionError(explained, e);
        }
    }

    /** Of the leaves: what they answered with, and what they threw away. */
    private static long rowsRead(JsonNode plan) {
        JsonNode below = plan.path("Plans");
        if (below.isMissingNode()) {
            return Math.round(plan.path("Actual Rows").asDouble())
                    + plan.path("Rows Removed by Filter").asLong();
        }
        long rows = 0;
        for (JsonNode one : below) {
            rows += rowsRead(one);
        }
        return rows;
    }
}
