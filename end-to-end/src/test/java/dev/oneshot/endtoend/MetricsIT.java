package dev.oneshot.endtoend;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Service;
import dev.oneshot.local.stack.junit.SharedStack;
import dev.oneshot.testing.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Alerts and dashboard use metrics and labels that a scrape of the running services has. */
@ExtendWith(SharedStack.class)
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ)
class MetricsIT {

    /** Labels that Prometheus adds. */
    private static final Set<String> PROMETHEUS_LABELS = Set.of("job", "instance", "pod", "namespace");

    private static final Set<String> PROMETHEUS_METRICS = Set.of("up");

    private static final Pattern ALERT_EXPRESSION = Pattern.compile("(?m)^\\s+expr: (.+)$");

    private final LocalStack stack;

    MetricsIT(LocalStack stack) {
        this.stack = stack;
    }

    @Test
    void everyQueryOfAlertsAndDashboardHasItsMetricsAndLabels() throws IOException {
        haveEverythingHappenOnce();

        PrometheusText scrape = scrape();

        assertThat(queries()).hasSizeGreaterThan(20).allSatisfy(expression -> {
            PromQuery query = PromQuery.parse(expression);
            for (String metric : query.metrics()) {
                if (!PROMETHEUS_METRICS.contains(metric)) {
                    assertThat(scrape.labelsByName()).as(expression).containsKey(metric);
                }
            }
            assertThat(labelsOf(scrape, query.metrics())).as(expression).containsAll(query.labels());
        });
    }

    /** Receives a mail, sends a mail, and causes refusals, as some meters exist only after their first event. */
    private void haveEverythingHappenOnce() throws IOException {
        Account account = Account.create(stack);
        String receiver = account.createAddress();
        account.send(Map.of("to", receiver + "@in.oneshot.localhost", "subject", "Counted"));
        account.awaitMail(receiver);
        account.get(receiver, "/email").then().statusCode(200);
        try (SmtpClient dialogue = Account.smtp(stack)) {
            assertThat(dialogue.begin(Account.mailbox("nobody"))).startsWith("550");
        }
        account.get("a".repeat(24), "").then().statusCode(404);
        await().atMost(Duration.ofSeconds(30))
                .until(() ->
                        scrape(Service.MAILER).labelsByName().containsKey("oneshot_mailer_attempts_seconds_count"));
        // Micrometer looks for new metrics of Kafka's clients once a minute.
        await().atMost(Duration.ofMinutes(2))
                .until(() ->
                        scrape(Service.API).labelsByName().containsKey("kafka_consumer_fetch_manager_records_lag"));
    }

    private PrometheusText scrape() {
        PrometheusText all = new PrometheusText(Map.of());
        for (Service service : Service.values()) {
            all = all.and(scrape(service));
        }
        return all;
    }

    private PrometheusText scrape(Service service) {
        return PrometheusText.parse(
                given().baseUri("http://127.0.0.1:" + stack.settings().port(service.management()))
                        .accept("text/plain")
                        .get("/q/metrics")
                        .then()
                        .statusCode(200)
                        .extract()
                        .asString());
    }

    private static Set<String> labelsOf(PrometheusText scrape, Set<String> metrics) {
        Set<String> labels = new TreeSet<>(PROMETHEUS_LABELS);
        metrics.forEach(metric -> labels.addAll(scrape.labelsByName().getOrDefault(metric, Set.of())));
        return labels;
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
