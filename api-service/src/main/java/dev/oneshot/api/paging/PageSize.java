package dev.oneshot.api.paging;

import dev.oneshot.api.error.ApiException;
import org.jspecify.annotations.Nullable;

/** The query parameter {@code limit}. */
public record PageSize(int limit) {

    public static final int MIN = 1;
    public static final int MAX = 100;
    public static final int DEFAULT = 20;

    private static final int DIGITS_MAX = 3;

    public PageSize {
        if (limit < MIN || limit > MAX) {
            throw refused();
        }
    }

    /**
     * Reads the parameter: an integer in plain digits; absent means {@value #DEFAULT}.
     *
     * @throws ApiException 400 if it is anything else
     */
    public static PageSize parse(@Nullable String limit) {
        if (limit == null) {
            return new PageSize(DEFAULT);
        }
        boolean digits = !limit.isEmpty()
                && limit.length() <= DIGITS_MAX
                && limit.chars().allMatch(PageSize::isDigit);
        if (!digits) {
            throw refused();
        }
        return new PageSize(Integer.parseInt(limit));
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    private static ApiException refused() {
        return ApiException.invalid("limit must be an integer between " + MIN + " and " + MAX);
    }
}
