package dev.oneshot.api.paging;

import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.http.QueryParameters;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list, as responses show it.
 *
 * @param items at most as many as asked for
 * @param nextCursor for the next page; null if there is none
 */
public record Page<T>(List<T> items, @Nullable String nextCursor) {

    /** The most items of a page. */
    public static final int LIMIT_MAX = 100;

    private static final int LIMIT_DEFAULT = 20;
    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,3}");

    /**
     * Reads the query parameter {@code limit}: an integer in plain digits; absent means {@value #LIMIT_DEFAULT}.
     *
     * @throws ApiException 400 if it is anything else, or out of range
     */
    private static int limit(@Nullable String text) {
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
     * The page that the query parameters {@code limit} and {@code cursor} ask for. One more row is read, to see whether there is
     * another page.
     *
     * @param list reads at most this many rows after a position, in the order of the list
     * @param scope everything the list is made with, for the cursor
     * @throws ApiException 400 if a parameter is malformed
     */
    public static <T> Page<T> read(
            QueryParameters query,
            CursorCodec codec,
            String scope,
            BiFunction<Integer, Position, List<T>> list,
            Function<T, Position> position) {
        int limit = limit(query.single("limit"));
        String cursor = query.single("cursor");
        List<T> rows = list.apply(limit + 1, cursor == null ? Position.TOP : codec.decode(cursor, scope));
        return rows.size() <= limit
                ? new Page<>(rows, null)
                : new Page<>(rows.subList(0, limit), codec.encode(position.apply(rows.get(limit - 1)), scope));
    }

    /** The same page with other items. */
    public <V> Page<V> map(Function<T, V> view) {
        return new Page<>(items.stream().map(view).toList(), nextCursor);
    }
}
