package dev.oneshot.api.paging;

import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list.
 *
 * @param items at most as many as asked for
 * @param next where the next page begins; null if there is none
 */
public record Page<T>(List<T> items, @Nullable Position next) {

    /**
     * Where a page ended: the last row's place in the order {@code created_at DESC, id DESC}.
     *
     * @param createdAt to the microsecond, as PostgreSQL keeps it
     * @param id the row's key
     */
    public record Position(Instant createdAt, String id) {}

    /**
     * The page of rows that were read with one more than the limit, to see whether there is another page.
     *
     * @param rows at most {@code limit + 1}
     * @param position of a row in the order of the list
     */
    public static <T> Page<T> ofOneMore(List<T> rows, int limit, Function<T, Position> position) {
        if (rows.size() <= limit) {
            return new Page<>(List.copyOf(rows), null);
        }
        return new Page<>(List.copyOf(rows.subList(0, limit)), position.apply(rows.get(limit - 1)));
    }
}
