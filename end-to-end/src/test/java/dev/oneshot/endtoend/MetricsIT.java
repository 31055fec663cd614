package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.oneshot.local.stack.Service;
import dev.oneshot.local.stack.junit.SharedStack;
import dev.oneshot.testing.Metrics;
import dev.oneshot.testing.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Alerts and dashboard use metrics and labels that a scrape of the running services has. */
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ)
@ResourceLock(value = OwnMailers.LOCK, mode = ResourceAccessMode.READ)
class MetricsIT extends StackTest {

    /** Labels that Prometheus adds. */
    private static final Set<String> PROMETHEUS_LABELS = Set.of("job", "instance", "pod", "namespace");

    private static final Set<String> PROMETHEUS_METRICS = Set.of("up");

    private static final Pattern ALERT_EXPRESSION = Pattern.compile("(?m)^\\s+expr: (.+)$");

    /** A sample of Prometheus's text format, and a label of it. */
    private static final Pattern SAMPLE = Pattern.compile("(?m)^([a-zA-Z_:][\\w:]*)(?:\\{(.*)})? \\S+");

    private static final Pattern VERSION =
            Pattern.compile("<artifactId>oneshot-parent</artifactId>\\s*<version>(.*?)</version>");

    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"(?:[^\"\\\\]|\\\\.)*\"");

    @Test
    void everyQueryOfAlertsAndDashboardHasItsMetricsAndLabels() throws IOException {
        haveEverythingHappenOnce();

        Map<String, Set<String>> labelsByMetric = labelsByMetric();

        assertThat(queries()).hasSizeGreaterThan(20).allSatisfy(expression -> {
            PromQuery query = PromQuery.parse(expression);
            for (String metric : query.metrics()) {
                if (!PROMETHEUS_METRICS.contains(metric)) {
                    assertThat(labelsByMetric).as(expression).containsKey(metric);
                }
            }
            Set<String> labels = new TreeSet<>(PROMETHEUS_LABELS);
            query.metrics().forEach(metric -> labels.addAll(labelsByMetric.getOrDefault(metric, Set.of())));
            assertThat(query.metrics()).as(expression).isNotEmpty();
            assertThat(labels).as(expression).containsAll(query.labels());
        });
    }

    @Test
    void everyServiceNamesTheVersionOfThePom() throws IOException {
        Matcher version =
                VERSION.matcher(Files.readString(stack.settings().project().resolve("pom.xml")));
        assertThat(version.find()).isTrue();

        assertThat(Service.values())
                .allSatisfy(service -> assertThat(scrape(service))
                        .contains("\noneshot_build_info{version=\"" + version.group(1) + "\""));
    }

    /** Receives a mail, sends a mail, and causes refusals, as some meters exist only after their first event. */
    private void haveEverythingHappenOnce() throws IOException {
        String receiver = account.createAddress();
        account.send(Map.of("to", receiver + "@in.oneshot.localhost", "subject", "Counted"));
        account.awaitMail(receiver);
        account.get(receiver, "/email").then().statusCode(200);
        try (SmtpClient dialogue = Account.smtp(stack)) {
            assertThat(dialogue.begin(Account.mailbox("nobody"))).startsWith("550");
        }
        account.get("a".repeat(24), "").then().statusCode(404);
        await().until(() -> scrape(Service.MAILER).contains("\noneshot_mailer_attempts_seconds_count"));
        // Micrometer looks for new metrics of Kafka's clients once a minute.
        await().until(() -> scrape(Service.API).contains("\nkafka_consumer_fetch_manager_records_lag{"));
    }

    /** The labels of each metric of all services. */
    private Map<String, Set<String>> labelsByMetric() {
        Map<String, Set<String>> labelsByMetric = new HashMap<>();
        for (Service service : Service.values()) {
            SAMPLE.matcher(scrape(service)).results().forEach((MatchResult sample) -> {
                Set<String> labels = labelsByMetric.computeIfAbsent(sample.group(1), _ -> new TreeSet<>());
                if (sample.group(2) != null) {
                    LABEL.matcher(sample.group(2)).results().forEach((MatchResult label) -> labels.add(label.group(1)));
                }
            });
        }
        return labelsByMetric;
    }

    private String scrape(Service service) {
        return new Metrics(stack.settings().port(service.management())).scrape();
    }

    private List<String> queries() throws IOException {
        Path monitoring = stack.settings().project().resolve("deploy/monitoring");
        List<String> queries = new ArrayList<>(ALERT_EXPRESSION
                .matcher(Files.readString(monitoring.resolve("alerts.yaml")))
                .results()
                .map(alert -> alert.group(1))
                .toList());
        JsonNode dashboard = new ObjectMapper().readTree(Files.readString(monitoring.resolve("dashboard.json")));
        dashboard.findValuesAsText("expr").forEach(queries::add);
        return queries;
    }
}
