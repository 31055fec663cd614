package dev.oneshot.api.address;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.oneshot.api.database.FreshDatabase;
import dev.oneshot.api.paging.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cost of a page if, for every filter, tens of thousands of other addresses precede the matching ones. */
class AddressListPlanTest {

    private static final int MANY = 50_000;
    private static final int FEW = 30;
    private static final int UNSWEPT = 5;
    private static final int LIMIT = 20;
    private static final String LABEL = AddressListQueryTest.LABEL;

    /** Each range of the index reads one row ahead. */
    private static final int RANGES_MAX = 5;

    /** Pages of 8 KiB: the rows of a page, and a path through the index for each range. */
    private static final int BLOCKS_MAX = 80;

    private static FreshDatabase database;
    private static UUID account;

    @BeforeAll
    static void fill() {
        database = FreshDatabase.create();
        account = database.account();
        insert("waiting", LABEL, 1, UNSWEPT, "-1 minute");
        insert("sent", "y", 2, FEW, "1 hour");
        insert("sent", LABEL, 3, FEW, "1 hour");
        insert("received", "y", 4, FEW, "1 hour");
        insert("received", LABEL, 5, FEW, "1 hour");
        insert("expired", "y", 6, MANY, "-1 hour");
        insert("expired", LABEL, 7, MANY, "-1 hour");
        insert("waiting", "y", 8, MANY, "1 hour");
        insert("waiting", LABEL, 9, MANY, "1 hour");
        database.execute("VACUUM ANALYZE address");
    }

    @ParameterizedTest
    @MethodSource("dev.oneshot.api.address.AddressListQueryTest#filters")
    void pageReadsTheAddressesItReturns(AddressFilter filter) {
        JsonNode plan = plan(filter);

        assertThat(rowsRead(plan)).isLessThanOrEqualTo(LIMIT + 1 + RANGES_MAX + UNSWEPT);
        assertThat(plan.path("Shared Hit Blocks").asInt()
                        + plan.path("Shared Read Blocks").asInt())
                .isLessThanOrEqualTo(BLOCKS_MAX);
    }

    private static void insert(String status, String label, int order, int rows, String left) {
        String sql = """
                INSERT INTO address (id, account_id, mode, status, label, created_at, expires_at,
                    mail_from, mail_subject, mail_received_at, mail_size_bytes, mail_attachment_count)
                SELECT left(md5(? || ? || i), 24), ?, CASE ? WHEN 'sent' THEN 'send' ELSE 'receive' END, ?, ?,
                    now() - interval '3 hours' + ? * interval '1 minute' + i * interval '1 microsecond',
                    now() + ?::interval,
                    CASE WHEN mail THEN '' END, CASE WHEN mail THEN '' END, CASE WHEN mail THEN now() END,
                    CASE WHEN mail THEN 1 END, CASE WHEN mail THEN 0 END
                FROM generate_series(1, ?) AS i, (SELECT ? = 'received' AS mail)""";
        database.execute(sql, status + order, label, account, status, status, label, order, left, rows, status);
    }

    private static JsonNode plan(AddressFilter filter) {
        AddressListQuery query = new AddressListQuery(account, filter, Position.TOP);
        List<Object> parameters = new ArrayList<>(query.parameters());
        parameters.add(LIMIT + 1);
        String explained = database.database()
                .row(
                        "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + query.sql(),
                        row -> row.getString(1),
                        parameters.toArray())
                .orElseThrow();
        try {
            return new ObjectMapper().readTree(explained).path(0).path("Plan");
        } catch (JsonProcessingException e) {
            throw new AssertionError(explained, e);
        }
    }

    /** The rows that the leaves of a plan returned or discarded. */
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
