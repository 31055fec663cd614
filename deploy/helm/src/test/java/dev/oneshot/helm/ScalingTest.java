package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the number of pods is set, and that pods can be evicted one at a time. */
class ScalingTest {

    @EveryValueSet
    void deploymentThatSomethingScalesNamesNoReplicas(Manifests manifests) {
        Set<String> scaled = Stream.of("HorizontalPodAutoscaler", "ScaledObject")
                .flatMap(manifests::ofKind)
                .map(scaler -> scaler.at("/spec/scaleTargetRef/name").asText())
                .collect(Collectors.toSet());
        assertThat(manifests.ofKind("Deployment"))
                .allSatisfy(deployment -> assertThat(deployment.path("spec").has("replicas"))
                        .isEqualTo(!scaled.contains(Manifests.nameOf(deployment))));
        assertThat(manifests.ofKind("Deployment").map(Manifests::nameOf)).containsAll(scaled);
    }

    /** With {@code minAvailable}, a single replica could not be evicted, and its node not drained. */
    @EveryValueSet
    void budgetAlwaysLetsOnePodGo(Manifests manifests) {
        assertThat(manifests.ofKind("PodDisruptionBudget")).allSatisfy(budget -> {
            assertThat(budget.path("spec").has("minAvailable")).isFalse();
            assertThat(budget.at("/spec/maxUnavailable").asInt()).isPositive();
        });
    }

    @Test
    void kedaLooksAtTheGroupsOfTheServices() throws IOException {
        Manifests manifests = Chart.install(Chart.valueSet("operators"));
        JsonNode api = trigger(manifests, "post-oneshot-api");
        JsonNode mailer = trigger(manifests, "post-oneshot-mailer");

        assertThat(api.path("topic").asText()).isEqualTo("mail.inbound");
        assertThat(mailer.path("topic").asText()).isEqualTo("mail.due");
        assertThat(properties("api-service"))
                .contains("mail-inbound.group.id=" + api.path("consumerGroup").asText() + "\n");
        assertThat(properties("outbound-mailer-service"))
                .contains("mail-due.group.id=" + mailer.path("consumerGroup").asText() + "\n");
    }

    /** The names are those of KEDA's scaler, not Kafka's. */
    @ParameterizedTest
    @CsvSource({"PLAIN, plaintext", "SCRAM-SHA-256, scram_sha256", "SCRAM-SHA-512, scram_sha512"})
    void kedaGetsItsOwnNameOfTheMechanism(String mechanism, String word, @TempDir Path directory) {
        String values = "{api: {autoscaling: {enabled: false}, keda: {enabled: true}}, kafka: {sasl: {mechanism: "
                + mechanism + "}}}";

        Manifests manifests = Chart.install(Chart.with("own-servers", values, directory));

        JsonNode trigger = trigger(manifests, "post-oneshot-api");
        assertThat(trigger.path("sasl").asText()).isEqualTo(word);
        assertThat(trigger.path("tls").asText()).isEqualTo("enable");
        assertThat(Manifests.each(manifests
                                .only("TriggerAuthentication", "post-oneshot-api-kafka")
                                .at("/spec/secretTargetRef"))
                        .map(secret -> secret.path("parameter").asText()))
                .containsExactly("username", "password", "ca", "cert", "key");
    }

    @Test
    void kedaGoesDownAsSlowlyAsTheHorizontalPodAutoscaler() {
        JsonNode scaler = Chart.install(Chart.valueSet("own-servers"))
                .only("HorizontalPodAutoscaler", "post-oneshot-api")
                .at("/spec/behavior");
        JsonNode keda = Chart.install(Chart.valueSet("operators"))
                .only("ScaledObject", "post-oneshot-api")
                .at("/spec/advanced/horizontalPodAutoscalerConfig/behavior");
        assertThat(scaler.at("/scaleDown/stabilizationWindowSeconds").asInt()).isEqualTo(600);
        assertThat(keda).isEqualTo(scaler);
    }

    @Test
    void kedaNeedsNoSecretForAnAuthorityThatEverybodyTrusts(@TempDir Path directory) {
        Manifests manifests = Chart.install(
                Chart.smallestWith("{kafka: {securityProtocol: SSL}, api: {keda: {enabled: true}}}", directory));
        assertThat(trigger(manifests, "post-oneshot-api").path("tls").asText()).isEqualTo("enable");
        assertThat(manifests
                        .only("ScaledObject", "post-oneshot-api")
                        .at("/spec/triggers/0")
                        .has("authenticationRef"))
                .isFalse();
        assertThat(manifests.ofKind("TriggerAuthentication")).isEmpty();
    }

    @Test
    void databaseNeedsConnectionsForTheMostReplicas(@TempDir Path directory) {
        Path tooFew = Chart.with("operators", "{cloudNativePg: {parameters: {max_connections: 579}}}", directory);

        assertThatThrownBy(() -> Chart.install(tooFew))
                .hasMessageContaining("cloudNativePg.parameters.max_connections is 579")
                .hasMessageContaining("open 580");
    }

    private static JsonNode trigger(Manifests manifests, String name) {
        JsonNode triggers = manifests.only("ScaledObject", name).at("/spec/triggers");
        assertThat(triggers).hasSize(1);
        assertThat(triggers.path(0).path("type").asText()).isEqualTo("kafka");
        return triggers.path(0).path("metadata");
    }

    private static String properties(String module) throws IOException {
        return Files.readString(Path.of("../..", module, "src/main/resources/application.properties"));
    }
}
