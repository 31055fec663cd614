package dev.oneshot.endtoend;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A PromQL query: its metrics, and the labels that it selects and groups by.
 *
 * @param metrics names of the metrics
 * @param labels names of the labels
 */
record PromQuery(Set<String> metrics, Set<String> labels) {

    /** Functions, aggregations and operators. Any other word is a metric. */
    private static final Pattern RESERVED = Pattern.compile(
            "rate|increase|histogram_quantile|absent|clamp_min|sum|max|min|avg|count|group|and|or|unless|offset|time");

    private static final Pattern TEXT_OR_RANGE = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"|\\[\\d+[smhd]]");
    private static final Pattern LABELS =
            Pattern.compile("\\{([^{}]*)}|\\b(?:by|without|on|ignoring)\\s*\\(([^()]*)\\)");
    private static final Pattern WORD = Pattern.compile("(?<![\\w.:])[a-zA-Z_:][\\w:]*");

    /**
     * Reads a query.
     *
     * @throws IllegalArgumentException if brackets do not match
     */
    static PromQuery parse(String expression) {
        String plain = TEXT_OR_RANGE.matcher(expression).replaceAll("");
        if (count(plain, '(') != count(plain, ')')) {
            throw new IllegalArgumentException("a bracket is missing: " + expression);
        }
        Set<String> labels = new TreeSet<>();
        LABELS.matcher(plain)
                .results()
                .map((MatchResult list) -> list.group(1) == null ? list.group(2) : list.group(1))
                .forEach(list -> labels.addAll(words(list)));
        Set<String> metrics = new TreeSet<>(words(LABELS.matcher(plain).replaceAll(" ")));
        metrics.removeIf(RESERVED.asMatchPredicate());
        return new PromQuery(metrics, labels);
    }

    private static long count(String text, char wanted) {
        return text.chars().filter(character -> character == wanted).count();
    }

    private static List<String> words(String text) {
        return WORD.matcher(text).results().map(MatchResult::group).toList();
    }
}
