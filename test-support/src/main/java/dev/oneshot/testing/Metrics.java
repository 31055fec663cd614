package dev.oneshot.testing;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.regex.Pattern;

/**
 * The metrics of a service.
 *
 * @param managementPort the port of health and metrics, on loopback
 */
public record Metrics(int managementPort) {

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** A scrape in Prometheus's text format. */
    public String scrape() {
        URI uri = URI.create("http://127.0.0.1:" + managementPort + "/q/metrics");
        HttpRequest request =
                HttpRequest.newBuilder(uri).header("Accept", "text/plain").build();
        try {
            return CLIENT.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The sum of a metric over all of its labels. */
    public double sum(String name) {
        return sum(Pattern.compile(Pattern.quote(name) + "[ {].*"));
    }

    /** The sum of all samples whose lines match. */
    public double sum(Pattern lines) {
        return scrape().lines()
                .filter(lines.asMatchPredicate())
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
