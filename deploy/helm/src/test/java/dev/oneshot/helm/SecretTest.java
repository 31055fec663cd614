package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Manifests only refer to secrets. */
class SecretTest {

    private static final Pattern SECRET_NAME =
            Pattern.compile("PASSWORD|TOKEN|JAAS|_KEYS$|_SECRETS$|_HEADERS$|USERNAME");

    @EveryValueSet
    void noSecretIsInAConfigMapOrInPlainEnvironment(Manifests manifests) {
        for (ObjectNode workload : manifests.workloads()) {
            if (Manifests.componentOf(workload).equals("migration")) {
                // It has a placeholder for keys that it does not use.
                assertThat(manifests.environmentOf(workload))
                        .containsEntry("ONESHOT_ADDRESS_KEYS", "A".repeat(43) + "=")
                        .containsEntry("ONESHOT_API_KEY_SECRETS", "A".repeat(43) + "=")
                        .hasEntrySatisfying(
                                "ONESHOT_DATABASE_PASSWORD",
                                value -> assertThat(value).startsWith("secret:"));
                continue;
            }
            assertThat(manifests.environmentOf(workload).entrySet().stream()
                            .filter(variable ->
                                    SECRET_NAME.matcher(variable.getKey()).find()))
                    .isNotEmpty()
                    .allSatisfy(variable -> assertThat(variable.getValue()).startsWith("secret:"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "ONESHOT_OPERATOR_TOKEN, api",
        "ONESHOT_ADDRESS_KEYS, api ingest",
        "ONESHOT_API_KEY_SECRETS, api",
        "ONESHOT_DATABASE_PASSWORD, api expiry migration",
        "ONESHOT_RELAY_PASSWORD, mailer",
        "ONESHOT_TRACING_HEADERS, api ingest mailer",
        "ONESHOT_DKIM_PRIVATE_KEY_FILE, mailer"
    })
    void aSecretIsInThePodsThatNeedItAlone(String variable, String services) {
        Manifests manifests = Chart.install(Chart.valueSet("own-servers"));

        assertThat(manifests.workloads().stream()
                        .filter(workload -> manifests
                                .environmentOf(workload)
                                .getOrDefault(variable, "")
                                .matches("secret:.*|/.*"))
                        .map(Manifests::componentOf))
                .containsExactlyInAnyOrder(services.split(" ", -1));
    }

    @EveryValueSet
    void everySecretThatTheReleaseIsToHaveIsThere(Manifests manifests) {
        Set<String> made = Stream.of(
                        manifests.ofKind("Secret").map(Manifests::nameOf),
                        manifests
                                .ofKind("Certificate")
                                .map(certificate ->
                                        certificate.at("/spec/secretName").asText()),
                        manifests.ofKind("KafkaUser").map(Manifests::nameOf),
                        manifests.ofKind("Kafka").map(kafka -> Manifests.nameOf(kafka) + "-cluster-ca-cert"),
                        manifests
                                .ofKind("Cluster")
                                .flatMap(cluster -> Stream.of(
                                        Manifests.nameOf(cluster) + "-app", Manifests.nameOf(cluster) + "-ca")))
                .flatMap(names -> names)
                .collect(Collectors.toSet());

        // Then
        assertThat(referredTo(manifests).filter(name -> name.startsWith(Chart.RELEASE + "-")))
                .allSatisfy(name -> assertThat(made).contains(name));
    }

    @EveryValueSet
    void everySecretThatIsMadeIsUsed(Manifests manifests) {
        assertThat(referredTo(manifests).toList())
                .containsAll(manifests.ofKind("Secret").map(Manifests::nameOf).toList());
    }

    @Test
    void postgresOperatorGetsTheUserAndItsPassword() {
        Manifests manifests = Chart.install(Chart.valueSet("operators"));
        JsonNode role = manifests.ofKind("Cluster").findFirst().orElseThrow().at("/spec/managed/roles/0");
        JsonNode secret =
                manifests.only("Secret", role.at("/passwordSecret/name").asText());

        assertThat(secret.path("type").asText()).isEqualTo("kubernetes.io/basic-auth");
        assertThat(new String(
                        Base64.getDecoder().decode(secret.at("/data/username").asText()), StandardCharsets.UTF_8))
                .isEqualTo(role.path("name").asText())
                .isEqualTo("oneshot_expiry");
        assertThat(Base64.getDecoder().decode(secret.at("/data/password").asText()))
                .hasSize(32);
    }

    private static Stream<String> referredTo(Manifests manifests) {
        return manifests.workloads().stream()
                .flatMap(workload -> Stream.concat(
                        workload.findValues("secretKeyRef").stream()
                                .map(reference -> reference.path("name").asText()),
                        workload.findValuesAsText("secretName").stream()));
    }
}
