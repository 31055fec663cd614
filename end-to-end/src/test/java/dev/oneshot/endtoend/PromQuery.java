package dev.oneshot.endtoend;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A PromQL query: its metrics, and the labels that it selects and groups by.
 *
 * @param metrics names of the metrics
 * @param labels names of the labels
 */
record PromQuery(Set<String> metrics, Set<String> labels) {

    private static final Set<String> FUNCTIONS =
            Set.of("rate", "increase", "histogram_quantile", "absent", "clamp_min");
    private static final Set<String> AGGREGATIONS = Set.of("sum", "max", "min", "avg", "count");
    private static final Set<String> GROUPINGS = Set.of("by", "without", "on", "ignoring");
    private static final Set<String> OPERATORS = Set.of("and", "or", "unless");
    private static final Pattern TOKEN = Pattern.compile("\\s+"
            + "|(?<word>[a-zA-Z_:][a-zA-Z0-9_:]*)"
            + "|(?<text>\"(?:[^\"\\\\]|\\\\.)*\")"
            + "|(?<range>\\[\\d+[smhd]])"
            + "|(?<number>\\d+(?:\\.\\d+)?)"
            + "|(?<sign>=~|!~|!=|==|>=|<=|[-+*/=<>(){},])");

    /**
     * Parses a query.
     *
     * @throws IllegalArgumentException if it has an unexpected token, function or bracket
     */
    static PromQuery parse(String expression) {
        List<String> tokens = tokens(expression);
        Set<String> metrics = new TreeSet<>();
        Set<String> labels = new TreeSet<>();
        Deque<String> open = new ArrayDeque<>();
        boolean grouping = false;
        for (int i = 0; i < tokens.size(); i++) {
            String token = tokens.get(i);
            String next = i + 1 < tokens.size() ? tokens.get(i + 1) : "";
            switch (token) {
                case "(", "{" -> open.push(grouping ? "by" : token);
                case ")" -> require(!open.isEmpty() && !open.pop().equals("{"), expression);
                case "}" -> require(!open.isEmpty() && open.pop().equals("{"), expression);
                default -> {
                    if (!Character.isLetter(token.charAt(0)) && token.charAt(0) != '_') {
                        break;
                    }
                    if ("by".equals(open.peek()) || "{".equals(open.peek())) {
                        labels.add(token);
                    } else if (next.equals("(") && !GROUPINGS.contains(token)) {
                        require(FUNCTIONS.contains(token) || AGGREGATIONS.contains(token), expression);
                    } else if (!GROUPINGS.contains(token)
                            && !OPERATORS.contains(token)
                            && !AGGREGATIONS.contains(token)) {
                        metrics.add(token);
                    }
                }
            }
            grouping = GROUPINGS.contains(token);
        }
        require(open.isEmpty() && !metrics.isEmpty(), expression);
        return new PromQuery(metrics, labels);
    }

    private static List<String> tokens(String expression) {
        List<String> tokens = new ArrayList<>();
        Matcher matcher = TOKEN.matcher(expression);
        int at = 0;
        while (at < expression.length()) {
            require(matcher.find(at) && matcher.start() == at, expression);
            if (!matcher.group().isBlank()) {
                tokens.add(matcher.group());
            }
            at = matcher.end();
        }
        return tokens;
    }

    private static void require(boolean holds, String expression) {
        if (!holds) {
            throw new IllegalArgumentException("not PromQL as it is used here: " + expression);
        }
    }
}
