package dev.oneshot.api;

import java.util.regex.Pattern;

/** The metrics of the service under test. */
public final class TestMetrics {

    private TestMetrics() {}

    /** The sum of a metric over all of its labels. */
    public static double sum(String name) {
        return sum(Pattern.compile(Pattern.quote(name) + "[ {].*"));
    }

    /** The sum of all samples whose lines match. */
    public static double sum(Pattern lines) {
        return sum(TestAccount.management().get("/q/metrics").asString(), lines);
    }

    /** The sum of all samples of a scrape whose lines match. */
    public static double sum(String scrape, Pattern lines) {
        return scrape.lines()
                .filter(lines.asMatchPredicate())
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
