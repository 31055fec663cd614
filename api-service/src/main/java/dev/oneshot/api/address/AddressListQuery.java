package dev.oneshot.api.address;

import dev.oneshot.api.paging.Page;
import dev.oneshot.api.paging.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The addresses of an account that match a filter, newest first. They are merged from ranges of an index, one for
 * each status and mode, so that only returned addresses are read.
 *
 * @param after the page has the rows after this position
 */
public record AddressListQuery(UUID accountId, AddressFilter filter, Position after) {

    private static final String ORDER = " ORDER BY created_at DESC, id DESC";

    private static final String OWNED = "address WHERE account_id = ?";

    /**
     * Expired addresses that are not swept yet. PostgreSQL reads their index only if it expects few of them. Its estimate is low
     * because the bounds are no constants, and because OFFSET keeps other conditions out of the subquery.
     */
    private static final String UNSWEPT = "(SELECT * FROM " + OWNED
            + " AND status <> 'expired' AND expires_at BETWEEN '-infinity' AND (SELECT now()) OFFSET 0) AS unswept WHERE ";

    /** The statement for the rows of a page; its last parameter is how many. */
    String sql() {
        return "SELECT " + AddressStore.COLUMNS + from(Page.LIMIT_MAX + 1) + " LIMIT ?";
    }

    /**
     * The FROM and ORDER BY clauses.
     *
     * @param max the most rows; a literal, as PostgreSQL plans for a tenth of the table when it is a parameter
     */
    public String from(int max) {
        String rest = (filter.label() == null ? "" : " AND label = ?") + " AND (created_at, id) < (?, ?)" + ORDER
                + " LIMIT " + max + ")";
        return ranges().stream()
                .map(range -> "(SELECT * FROM " + range + rest)
                .collect(Collectors.joining(" UNION ALL ", " FROM (", ") AS address" + ORDER));
    }

    /** The parameters of {@link #from}. */
    public List<Object> parameters() {
        List<Object> parameters = new ArrayList<>();
        // The parameters of one range, once for each.
        for (String _ : ranges()) {
            parameters.add(accountId);
            if (filter.label() != null) {
                parameters.add(filter.label().text());
            }
            parameters.add(after.createdAt());
            parameters.add(after.id());
        }
        return parameters;
    }

    /** Disjoint ranges. The status shows which addresses are swept, the time which are expired. */
    private List<String> ranges() {
        List<String> ranges = new ArrayList<>();
        for (Status status : Status.values()) {
            for (Mode mode : Mode.values()) {
                boolean exists = status == Status.EXPIRED || (status == Status.SENT) == (mode == Mode.SEND);
                boolean wanted = filter.status() == null || filter.status() == status;
                if (exists && wanted && (filter.mode() == null || filter.mode() == mode)) {
                    String unexpired =
                            filter.status() == null || status == Status.EXPIRED ? "" : " AND expires_at > now()";
                    ranges.add(OWNED + " AND status = '" + status.text() + "' AND mode = '" + mode.text() + "'"
                            + unexpired);
                }
            }
        }
        if (filter.status() == Status.EXPIRED) {
            ranges.add(UNSWEPT
                    + (filter.mode() == null
                            ? "true"
                            : "mode = '" + filter.mode().text() + "'"));
        }
        if (ranges.isEmpty()) {
            // No address can match, as with status sent in receive mode.
            ranges.add(OWNED + " AND false");
        }
        return ranges;
    }
}
