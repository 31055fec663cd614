package dev.oneshot.api.paging;

import dev.oneshot.api.error.ApiException;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
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

    /** The most items of a page. */
    public static final int LIMIT_MAX = 100;

    private static final int LIMIT_DEFAULT = 20;
    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,3}");

    /**
     * Reads the query parameter {@code limit}: an integer in plain digits; absent means {@value #LIMIT_DEFAULT}.
     *
     * @throws ApiException 400 if it is anything else, or out of range
     */
    public static int limit(@Nullable String text) {
        if (text == null) {
            return LIMIT_DEFAULT;
        }
        int limit = DIGITS.matcher(text).matches() ? Integer.parseInt(text) : 0;
        if (limit < 1 || limit > LIMIT_MAX) {
            throw ApiException.invalid("limit must be an integer between 1 and " + LIMIT_MAX);
        }
        return limit;
    }

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
