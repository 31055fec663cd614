package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.oneshot.local.backends.Program;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Alerts and dashboard are complete and shipped. That the services have their metrics is tested by MetricsIT. */
class MonitoringTest {

    private static final Path FILES = Chart.DIRECTORY.resolve("files");
    private static final Path UNIT_TESTS = Path.of("../monitoring/alerts.test.yaml");

    private static final Pattern METRIC = Pattern.compile("\\b(?:up|(?:oneshot|kafka|jvm|http|agroal|process)_\\w+)");

    private static final Pattern AGGREGATION = Pattern.compile("\\b(?:sum|max|min|avg|count|group)\\b");

    @Test
    void everyAlertSaysWhatToDo() throws IOException {
        // Given
        String operations = Files.readString(Path.of("../../docs/operations.md"));
        List<JsonNode> alerts = Manifests.each(
                        Yaml.read(FILES.resolve("alerts.yaml")).at("/groups/0/rules"))
                .toList();

        // Then
        assertThat(alerts).hasSizeGreaterThan(10).allSatisfy(alert -> {
            assertThat(operations).contains("\n| `" + alert.path("alert").asText() + "` | ");
            assertThat(alert.at("/labels/severity").asText()).isIn("critical", "warning");
            assertThat(alert.at("/annotations/summary").asText()).isNotEmpty();
            assertThat(alert.at("/annotations/description").asText()).isNotEmpty();
        });
        assertThat(Pattern.compile("\\n\\| `(Oneshot[A-Za-z]+)` \\|")
                        .matcher(operations)
                        .results()
                        .map(row -> row.group(1)))
                .containsExactlyInAnyOrderElementsOf(alerts.stream()
                        .map(alert -> alert.path("alert").asText())
                        .toList());
    }

    /** Else one release's alert would hide another's, or a foreign JVM would raise it. */
    @Test
    void everySelectorAndAggregationOfAnAlertIsOfOneRelease() throws IOException {
        assertThat(Yaml.read(FILES.resolve("alerts.yaml")).findValuesAsText("expr"))
                .allSatisfy(expression -> {
                    assertThat(METRIC.matcher(expression).results())
                            .isNotEmpty()
                            .allSatisfy(metric -> assertThat(expression.substring(metric.end()))
                                    .startsWith("{job=~\".*oneshot.*\""));
                    assertThat(AGGREGATION.matcher(expression).results())
                            .allSatisfy(aggregation -> assertThat(expression.substring(aggregation.end()))
                                    .startsWith(" by (namespace, job"));
                });
    }

    @Test
    void everyQueryOfTheDashboardSelectsTheChosenReleases() throws IOException {
        assertThat(new ObjectMapper()
                        .readTree(Files.readString(FILES.resolve("dashboard.json")))
                        .findValuesAsText("expr"))
                .isNotEmpty()
                .allSatisfy(expression -> assertThat(METRIC.matcher(expression).results())
                        .isNotEmpty()
                        .allSatisfy(metric -> assertThat(expression.substring(metric.end()))
                                .startsWith("{namespace=~\"$namespace\",job=~\"$release\"")));
    }

    @Test
    void everyAlertHasAUnitTest() throws IOException {
        String tests = Files.readString(UNIT_TESTS);

        assertThat(Manifests.each(Yaml.read(FILES.resolve("alerts.yaml")).at("/groups/0/rules")))
                .allSatisfy(alert -> assertThat(tests)
                        .contains(
                                "{labels: '{alertname=\"" + alert.path("alert").asText() + "\"}', value: 1}"));
    }

    /** Runs Prometheus's promtool, if it is installed (Debian: package {@code prometheus}). */
    @Test
    void alertsPassTheirUnitTests() throws Exception {
        runUnitTests(UNIT_TESTS);
    }

    /** An Alertmanager routes by namespace. The operators' PodMonitors have jobs of their own. */
    @Test
    void withoutAPodMonitorAlertsNameTheirNamespaceAndIgnoreTheOperatorsPods(@TempDir Path directory) throws Exception {
        Manifests manifests = Chart.install(Chart.smallestWith(
                "{mailer: {enabled: true}, relay: {host: a}, monitoring: {rules: true}}", directory));
        Yaml.write(directory.resolve("alerts.yaml"), (ObjectNode)
                manifests.only("PrometheusRule", "post-oneshot").path("spec"));
        Path tests = Files.writeString(directory.resolve("test.yaml"), """
                rule_files: [alerts.yaml]
                evaluation_interval: 1m
                tests:
                  - interval: 1m
                    input_series:
                      - {series: 'oneshot_build_info{job="oneshot",namespace="another",pod="a"}', values: '1x20'}
                      - {series: 'up{job="mail/post-oneshot",namespace="mail",pod="a"}', values: '0x20'}
                      - {series: 'up{job="mail/post-oneshot-kafka",namespace="mail",pod="k"}', values: '0x20'}
                      - {series: 'up{job="mail/post-oneshot-postgres",namespace="mail",pod="p"}', values: '0x20'}
                    promql_expr_test:
                      - expr: count by (namespace) (ALERTS{alertname=~".*Absent", alertstate="firing"})
                        eval_time: 10m
                        exp_samples:
                          - {labels: '{namespace="mail"}', value: 4}
                      - expr: count by (pod) (ALERTS{alertname="OneshotDown", alertstate="firing"})
                        eval_time: 10m
                        exp_samples:
                          - {labels: '{pod="a"}', value: 1}
                """);

        runUnitTests(tests);
    }

    private static void runUnitTests(Path tests) throws Exception {
        boolean installed = Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, "promtool")));
        if (!installed) {
            System.out.println("oneshot: no promtool on the PATH: the unit tests of the alerts do not run");
        }
        assumeTrue(installed, "no promtool on the PATH");

        assertThat(Program.run(List.of("promtool", "test", "rules", tests.toString())))
                .contains("SUCCESS");
    }

    @Test
    void everyPanelOfTheDashboardHasAQueryAndAPlaceOfItsOwn() throws IOException {
        JsonNode dashboard = new ObjectMapper().readTree(Files.readString(FILES.resolve("dashboard.json")));
        List<JsonNode> panels = Manifests.each(dashboard.path("panels")).toList();
        assertThat(panels)
                .isNotEmpty()
                .allSatisfy(panel ->
                        assertThat(panel.at("/targets/0/expr").asText()).isNotEmpty());
        assertThat(panels.stream()
                        .map(panel -> panel.path("gridPos").toString())
                        .collect(Collectors.toSet()))
                .hasSameSizeAs(panels);
    }

    @Test
    void chartShipsTheAlertsAndTheDashboard() throws IOException {
        Manifests manifests = Chart.install(Chart.valueSet("own-servers"));
        assertThat(manifests.only("PrometheusRule", "post-oneshot").path("spec"))
                .isEqualTo(Yaml.parse(Files.readString(FILES.resolve("alerts.yaml"))
                        .replace("job=~\".*oneshot.*\"", "job=\"post-oneshot\",namespace=\"mail\"")));
        assertThat(manifests
                        .only("ConfigMap", "post-oneshot-dashboard")
                        .at("/data/oneshot.json")
                        .asText()
                        .strip())
                .isEqualTo(Files.readString(FILES.resolve("dashboard.json")).strip());
    }

    @Test
    void alertForAnAbsentMailerIsLeftOutIfThereIsNone(@TempDir Path directory) {
        Manifests manifests = Chart.install(Chart.smallestWith("{monitoring: {rules: true}}", directory));

        assertThat(manifests.only("PrometheusRule", "post-oneshot").findValuesAsText("alert"))
                .contains("OneshotApiAbsent", "OneshotExpiryAbsent")
                .doesNotContain("OneshotMailerAbsent");
    }

    @Test
    void alertsAskForTheJobThatPodsAreScrapedUnderWhateverTheirNames(@TempDir Path directory) {
        Manifests manifests = Chart.install(
                Chart.smallestWith("{fullnameOverride: post, monitoring: {podMonitor: true, rules: true}}", directory));

        assertThat(manifests.only("PrometheusRule", "post").findValuesAsText("expr"))
                .contains("up{job=\"post\",namespace=\"mail\"} == 0")
                .noneMatch(expression -> expression.contains(".*oneshot"));
        assertThat(manifests.only("PodMonitor", "post").findValuesAsText("replacement"))
                .containsExactly("post");
        assertThat(manifests.only("PodMonitor", "post").findValuesAsText("targetLabel"))
                .containsExactly("job");
    }
}
