package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UpgradeTest {

    private static final String ADDRESS_KEYS = "post-oneshot-address-keys";

    @Test
    void generatedAddressKeyIsOneTheServicesAccept() {
        // When
        Manifests manifests = Chart.install(Chart.valueSet("smallest"));

        // Then
        byte[] configured = Base64.getDecoder()
                .decode(manifests
                        .only("Secret", ADDRESS_KEYS)
                        .at("/data/address-keys")
                        .asText());
        byte[] secret = Base64.getDecoder().decode(new String(configured, StandardCharsets.US_ASCII));
        assertThat(secret).hasSizeGreaterThanOrEqualTo(32);
    }

    @Test
    void twoInstallationsGenerateDifferentKeys() {
        // When
        JsonNode one = Chart.install(Chart.valueSet("smallest")).only("Secret", ADDRESS_KEYS);
        JsonNode other = Chart.install(Chart.valueSet("smallest")).only("Secret", ADDRESS_KEYS);

        // Then
        assertThat(one.path("data")).isNotEqualTo(other.path("data"));
    }

    @ParameterizedTest
    @CsvSource({
        "post-oneshot-address-keys, smallest",
        "post-oneshot-operator-token, smallest",
        "post-oneshot-postgres-expiry, operators"
    })
    void upgradeKeepsGeneratedSecrets(String name, String values) throws Exception {
        try (KubernetesApi api = new KubernetesApi()) {
            // Given
            Chart.install(api, Chart.valueSet(values));
            JsonNode before = Objects.requireNonNull(api.find("Secret", name)).deepCopy();

            // When
            Chart.upgrade(api, Chart.valueSet(values));

            // Then
            JsonNode after = Objects.requireNonNull(api.find("Secret", name));
            assertThat(after.path("data")).isEqualTo(before.path("data"));
            assertThat(after.at("/metadata/annotations/helm.sh~1resource-policy")
                            .asText())
                    .isEqualTo("keep");
        }
    }

    @Test
    void upgradeKeepsKeysThatWereRotatedByHand() throws Exception {
        try (KubernetesApi api = new KubernetesApi()) {
            // Given
            Chart.install(api, Chart.valueSet("smallest"));
            ObjectNode secret = Objects.requireNonNull(api.find("Secret", ADDRESS_KEYS));
            secret.withObject("/data").put("address-keys", "cm90YXRlZA==");
            api.put(secret);

            // When
            Chart.upgrade(api, Chart.valueSet("smallest"));

            // Then
            assertThat(Objects.requireNonNull(api.find("Secret", ADDRESS_KEYS))
                            .at("/data/address-keys")
                            .asText())
                    .isEqualTo("cm90YXRlZA==");
        }
    }

    @Test
    void databaseOfTheUserIsMigratedByAJobBeforeAnythingElseExists() {
        // When
        Manifests manifests = Chart.install(Chart.valueSet("own-servers"));

        // Then
        assertThat(manifests.objects().stream().map(Manifests::titleOf))
                .startsWith("NetworkPolicy post-oneshot-migration", "Job post-oneshot-migration");
        assertThat(manifests.environmentOf(manifests.only("Deployment", "post-oneshot-api")))
                .containsEntry("ONESHOT_DATABASE_MIGRATE_AT_START", "false");
    }

    @Test
    void databaseMadeByThisReleaseIsMigratedByTheServiceFirstAndByAJobLater() throws Exception {
        try (KubernetesApi api = new KubernetesApi()) {
            // Given
            Chart.install(api, Chart.valueSet("operators"));
            Manifests installed = new Manifests(api.created());
            assertThat(installed.ofKind("Job")).isEmpty();
            assertThat(installed.environmentOf(installed.only("Deployment", "post-oneshot-api")))
                    .containsEntry("ONESHOT_DATABASE_MIGRATE_AT_START", "true");

            // When
            Chart.upgrade(api, Chart.valueSet("operators"));

            // Then
            assertThat(new Manifests(api.created()).ofKind("Job")).hasSize(1);
            assertThat(Objects.requireNonNull(api.find("ConfigMap", "post-oneshot-api"))
                            .at("/data/ONESHOT_DATABASE_MIGRATE_AT_START")
                            .asText())
                    .isEqualTo("false");
        }
    }
}
