package dev.oneshot.endtoend;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A scrape in Prometheus's text format: the names of the samples, with all their labels. */
record PrometheusText(Map<String, Set<String>> labelsByName) {

    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (\\S+)(?: \\d+)?");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"(?:[^\"\\\\]|\\\\.)*\",?");

    static PrometheusText parse(String text) {
        Map<String, Set<String>> labelsByName = new HashMap<>();
        for (String line : text.lines().toList()) {
            if (line.startsWith("#") || line.isBlank()) {
                continue;
            }
            Matcher sample = SAMPLE.matcher(line);
            if (!sample.matches()) {
                throw new IllegalArgumentException("not a sample: " + line);
            }
            Set<String> labels = labelsByName.computeIfAbsent(sample.group(1), name -> new TreeSet<>());
            if (sample.group(2) != null) {
                LABEL.matcher(sample.group(2))
                        .results()
                        .map((MatchResult label) -> label.group(1))
                        .forEach(labels::add);
            }
        }
        return new PrometheusText(labelsByName);
    }

    PrometheusText and(PrometheusText other) {
        Map<String, Set<String>> all = new HashMap<>();
        for (PrometheusText text : Set.of(this, other)) {
            text.labelsByName.forEach((name, labels) ->
                    all.computeIfAbsent(name, one -> new HashSet<>()).addAll(labels));
        }
        return new PrometheusText(all);
    }
}
