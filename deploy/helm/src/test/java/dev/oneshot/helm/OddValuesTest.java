package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Unusual but allowed values. */
class OddValuesTest {

    private static final String ADDRESS_KEYS = "post-oneshot-address-keys";

    @TempDir
    Path directory;

    /** In a NetworkPolicy, an empty list of peers allows all. */
    @ParameterizedTest
    @ValueSource(strings = {"api", "ingest", "expiry"})
    void withoutPrometheusTheManagementPortIsClosed(String service) {
        // When
        Manifests manifests = install("{networkPolicy: {prometheusPeers: []}}");

        // Then
        JsonNode policy = manifests.only("NetworkPolicy", "post-oneshot-" + service);
        assertThat(policy.at("/spec/policyTypes").toString()).contains("Ingress");
        assertThat(policy.at("/spec/ingress").findValuesAsText("port")).doesNotContain("management");
    }

    @ParameterizedTest
    @CsvSource({
        "db.example.com, 5432, jdbc:postgresql://db.example.com:5432/oneshot",
        "'one,two', 6432, 'jdbc:postgresql://one:6432,two:6432/oneshot'",
        "'[2001:db8::1]', 5432, jdbc:postgresql://[2001:db8::1]:5432/oneshot"
    })
    void everyDatabaseServerHasThePort(String host, int port, String url) {
        // When
        Manifests manifests = install("{database: {host: '%s', port: %d}}".formatted(host, port));

        // Then
        for (String service : new String[] {"api", "expiry"}) {
            assertThat(manifests.environmentOf(manifests.only("Deployment", "post-oneshot-" + service)))
                    .containsEntry("ONESHOT_DATABASE_URL", url);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "nameOverride, 123, post-123",
        "nameOverride, 1e3, post-1e3",
        "nameOverride, 'true', post-true",
        "fullnameOverride, 'true', 'true'"
    })
    void aNameThatYamlTakesForSomethingElseStaysAText(String value, String text, String name) {
        // When
        Manifests manifests = install("{%s: '%s', monitoring: {podMonitor: true, rules: true}}".formatted(value, text));

        // Then
        assertThat(manifests.objects()).allSatisfy(object -> {
            assertThat(object.at("/metadata/name").isTextual()).isTrue();
            assertThat(object.at("/metadata/labels"))
                    .allSatisfy(label -> assertThat(label.isTextual()).isTrue());
        });
        assertThat(manifests
                        .only("PodMonitor", name)
                        .at("/spec/selector/matchLabels/app.kubernetes.io~1name")
                        .isTextual())
                .isTrue();
    }

    /** Helm reads numbers as floating point and would write 1e+07. */
    @Test
    void numberOfMillionsKeepsAllItsDigits() {
        // When
        Manifests manifests = install("{api: {config: {ONESHOT_INBOX_READ_MEMORY: 10000000,"
                + " ONESHOT_EXAMPLE_SHARE: 0.25}, keda: {enabled: true, lagThreshold: 1000000}}}");

        // Then
        assertThat(manifests.environmentOf(manifests.only("Deployment", "post-oneshot-api")))
                .containsEntry("ONESHOT_INBOX_READ_MEMORY", "10000000")
                .containsEntry("ONESHOT_EXAMPLE_SHARE", "0.25");
        assertThat(manifests
                        .only("ScaledObject", "post-oneshot-api")
                        .at("/spec/triggers/0/metadata/lagThreshold")
                        .asText())
                .isEqualTo("1000000");
    }

    @Test
    void migrationRunsWhereItsNodesAreNamed() {
        // When
        JsonNode job = install("{migration: {enabled: true, nodeSelector: {pool: batch},"
                        + " tolerations: [{key: batch, operator: Exists}]}}")
                .only("Job", "post-oneshot-migration");

        // Then
        assertThat(job.at("/spec/template/spec/nodeSelector/pool").asText()).isEqualTo("batch");
        assertThat(job.at("/spec/template/spec/tolerations/0/key").asText()).isEqualTo("batch");
    }

    @Test
    void mailArrivesOverBothFamiliesWhenThatIsAskedFor() {
        Manifests both = install("{bindAddress: '::', ingest: {service: {ipFamilyPolicy: RequireDualStack}}}");

        assertThat(both.only("Service", "post-oneshot-smtp")
                        .at("/spec/ipFamilyPolicy")
                        .asText())
                .isEqualTo("RequireDualStack");
        assertThat(both.environmentOf(both.only("Deployment", "post-oneshot-ingest")))
                .containsEntry("ONESHOT_SMTP_HOST", "::");
        assertThat(install("{}")
                        .only("Service", "post-oneshot-smtp")
                        .path("spec")
                        .has("ipFamilyPolicy"))
                .isFalse();
    }

    @Test
    void backupIsTheUsersAndNoneIsMadeUnasked() {
        JsonNode with = Chart.install(Chart.valueSet("operators"))
                .only("Cluster", "post-oneshot-postgres")
                .path("spec");
        JsonNode without = Chart.install(
                        Chart.with("operators", "{cloudNativePg: {backup: null, plugins: []}}", directory))
                .only("Cluster", "post-oneshot-postgres")
                .path("spec");

        assertThat(with.at("/backup/volumeSnapshot/className").asText()).isEqualTo("fast-snapshots");
        assertThat(with.at("/plugins/0/isWALArchiver").asBoolean()).isTrue();
        assertThat(without.has("backup")).isFalse();
        assertThat(without.has("plugins")).isFalse();
    }

    @Test
    void consoleIsPublishedNextToTheApiUnlessItIsOff() {
        String published =
                "ingress: {enabled: true, hosts: [api.example.com]}, gateway: {enabled: true, parentRefs: [{name: public}]}";

        Manifests on = install("{" + published + "}");
        Manifests off = install("{" + published + ", api: {console: {enabled: false}}}");

        assertThat(publishedPaths(on)).containsExactly("/v1", "/console", "/v1", "/console");
        assertThat(publishedPaths(off)).containsExactly("/v1", "/v1");
        assertThat(consoleSetting(on)).isEqualTo("true");
        assertThat(consoleSetting(off)).isEqualTo("false");
    }

    private static List<String> publishedPaths(Manifests manifests) {
        return Stream.concat(
                        manifests
                                .ofKind("Ingress")
                                .flatMap(ingress -> Manifests.each(ingress.at("/spec/rules/0/http/paths")))
                                .map(path -> path.path("path").asText()),
                        manifests
                                .ofKind("HTTPRoute")
                                .flatMap(route -> Manifests.each(route.at("/spec/rules/0/matches")))
                                .map(match -> match.at("/path/value").asText()))
                .toList();
    }

    private static String consoleSetting(Manifests manifests) {
        return Objects.requireNonNull(manifests
                .environmentOf(manifests.only("Deployment", "post-oneshot-api"))
                .get("ONESHOT_CONSOLE_ENABLED"));
    }

    /** Addresses are valid as long as the key that signed them: an upgrade must not create another one by mistake. */
    @Test
    void generatedKeysAreNotReplacedWhenTheirNameInTheSecretIsChanged() throws Exception {
        try (KubernetesApi api = new KubernetesApi()) {
            // Given
            Chart.install(api, Chart.valueSet("smallest"));
            ObjectNode before =
                    Objects.requireNonNull(api.find("Secret", ADDRESS_KEYS)).deepCopy();

            // When
            assertThatThrownBy(() ->
                            Chart.upgrade(api, Chart.smallestWith("{secrets: {addressKeys: {key: other}}}", directory)))
                    .hasMessageContaining("secrets.addressKeys.key")
                    .hasMessageContaining(ADDRESS_KEYS);

            // Then
            assertThat(Objects.requireNonNull(api.find("Secret", ADDRESS_KEYS)).path("data"))
                    .isEqualTo(before.path("data"));
        }
    }

    private Manifests install(String values) {
        return Chart.install(Chart.smallestWith(values, directory));
    }
}
