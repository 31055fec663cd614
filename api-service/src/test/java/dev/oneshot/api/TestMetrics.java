package dev.oneshot.api;

import dev.oneshot.testing.Metrics;
import java.util.regex.Pattern;

/** The metrics of the service under test. */
public final class TestMetrics {

    private TestMetrics() {}

    /** The sum of a metric over all of its labels. */
    public static double sum(String name) {
        return new Metrics(RawHttp.managementPort()).sum(name);
    }

    /** The sum of all samples whose lines match. */
    public static double sum(Pattern lines) {
        return new Metrics(RawHttp.managementPort()).sum(lines);
    }
}
