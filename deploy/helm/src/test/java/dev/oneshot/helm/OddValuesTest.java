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
            ObjectNode before = api.only("Secret", ADDRESS_KEYS);

            // When
            assertThatThrownBy(() ->
                            Chart.upgrade(api, Chart.smallestWith("{secrets: {addressKeys: {key: other}}}", directory)))
                    .hasMessageContaining("secrets.addressKeys.key")
                    .hasMessageContaining(ADDRESS_KEYS);

            // Then
            assertThat(api.only("Secret", ADDRESS_KEYS).path("data")).isEqualTo(before.path("data"));
        }
    }

    private Manifests install(String values) {
        return Chart.install(Chart.smallestWith(values, directory));
    }
}
