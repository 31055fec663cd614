package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every pod uses nothing of its node, does not run as root, has probes, and has time to stop. */
class PodTest {

    /** For what services close after their drains, each with its own timeout. */
    private static final int CLOSE_SECONDS = 15;

    private static final String SAFE_TO_EVICT = "cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes";

    @EveryValueSet
    void podMeetsTheRestrictedPodSecurityStandardAndHasNoTokenForTheApiServer(Manifests manifests) {
        assertThat(manifests.workloads()).isNotEmpty().allSatisfy(PodTest::assertIsRestricted);
    }

    private static void assertIsRestricted(ObjectNode workload) {
        JsonNode pod = workload.at("/spec/template/spec");
        assertThat(pod.path("automountServiceAccountToken").asBoolean(true)).isFalse();
        assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
        assertThat(pod.at("/securityContext/runAsUser").asInt()).isPositive();
        assertThat(pod.at("/securityContext/seccompProfile/type").asText()).isEqualTo("RuntimeDefault");
        assertThat(Stream.of("hostNetwork", "hostPID", "hostIPC").filter(pod::has))
                .isEmpty();
        assertThat(Manifests.each(pod.path("volumes"))
                        .filter(volume -> !volume.has("emptyDir") && !volume.has("secret")))
                .isEmpty();
        JsonNode security = Manifests.containerOf(workload).path("securityContext");
        assertThat(security.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
        assertThat(security.at("/capabilities/drop"))
                .isEqualTo(Yaml.parse("{drop: [ALL]}").path("drop"));
    }

    @EveryValueSet
    void podWritesOnlyToItsTemporaryDirectoryAndHasALimitOfMemoryAndARequestOfCpu(Manifests manifests) {
        assertThat(manifests.workloads())
                .isNotEmpty()
                .map(Manifests::containerOf)
                .allSatisfy(container -> {
                    assertThat(container
                                    .at("/securityContext/readOnlyRootFilesystem")
                                    .asBoolean())
                            .isTrue();
                    assertThat(Manifests.each(container.path("volumeMounts"))
                                    .filter(mount -> !mount.path("readOnly").asBoolean())
                                    .map(mount -> mount.path("mountPath").asText()))
                            .containsExactly("/tmp");
                    assertThat(Stream.of("/limits/memory", "/requests/memory", "/requests/cpu")
                                    .map(amount -> container
                                            .path("resources")
                                            .at(amount)
                                            .asText()))
                            .doesNotContain("");
                });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10_001, Integer.MAX_VALUE})
    void podRunsAsTheUserOfTheValues(int userId, @TempDir Path directory) {
        assertThat(podSecurity("userId: " + userId, directory))
                .isNotEmpty()
                .allSatisfy(security -> assertThat(Stream.of("runAsUser", "runAsGroup", "fsGroup")
                                .map(name -> security.path(name).asInt()))
                        .containsOnly(userId));
    }

    /** OpenShift rejects pods with a user outside the range of their namespace. */
    @Test
    void podRunsAsWhomTheClusterAssigns(@TempDir Path directory) {
        assertThat(podSecurity("userId: 0", directory)).isNotEmpty().allSatisfy(security -> {
            assertThat(security.at("/runAsNonRoot").asBoolean()).isTrue();
            assertThat(Stream.of("runAsUser", "runAsGroup", "fsGroup").filter(security::has))
                    .isEmpty();
        });
    }

    /** A cluster autoscaler keeps a node with a pod that has a volume, unless the pod names the volume. */
    @EveryValueSet
    void podDoesNotKeepItsNode(Manifests manifests) {
        assertThat(manifests.ofKind("Deployment")).isNotEmpty().allSatisfy(deployment -> {
            JsonNode template = deployment.at("/spec/template");
            assertThat(template.at("/metadata/annotations").path(SAFE_TO_EVICT).asText())
                    .isEqualTo(Manifests.each(template.at("/spec/volumes"))
                            .filter(volume -> volume.has("emptyDir"))
                            .map(volume -> volume.path("name").asText())
                            .collect(Collectors.joining(",")));
        });
    }

    @Test
    void podAnnotationsOfTheUserAreAddedAndWin(@TempDir Path directory) {
        // Given
        Path values =
                Chart.smallestWith("{api: {podAnnotations: {team: mail, %s: ''}}}".formatted(SAFE_TO_EVICT), directory);

        // When
        JsonNode annotations =
                Chart.install(values).only("Deployment", "post-oneshot-api").at("/spec/template/metadata/annotations");

        // Then
        assertThat(annotations.path("team").asText()).isEqualTo("mail");
        assertThat(annotations.path(SAFE_TO_EVICT).asText("-")).isEmpty();
        assertThat(annotations.path("checksum/config").asText()).isNotEmpty();
    }

    @EveryValueSet
    void probesAskTheManagementPort(Manifests manifests) {
        assertThat(manifests.ofKind("Deployment").map(Manifests::containerOf))
                .isNotEmpty()
                .allSatisfy(container -> {
                    assertThat(Stream.of("startup", "liveness", "readiness")
                                    .map(probe -> container.at("/" + probe + "Probe/httpGet"))
                                    .map(get -> get.path("path").asText() + " "
                                            + get.path("port").asText()))
                            .containsExactly(
                                    "/q/health/started management",
                                    "/q/health/live management",
                                    "/q/health/ready management");
                    assertThat(container.path("ports").findValuesAsText("name")).contains("management");
                });
    }

    /** A service killed before the end of its drain would interrupt work that the drain waits for. */
    @ParameterizedTest
    @CsvSource({
        "api, 5, 20, QUARKUS_SHUTDOWN_TIMEOUT ONESHOT_KAFKA_STOP_TIMEOUT",
        "api, 7, 33, QUARKUS_SHUTDOWN_TIMEOUT ONESHOT_KAFKA_STOP_TIMEOUT",
        "ingest, 10, 40, ONESHOT_SMTP_STOP_TIMEOUT",
        "ingest, 7, 33, ONESHOT_SMTP_STOP_TIMEOUT",
        "mailer, 0, 60, ONESHOT_MAILER_DRAIN_TIMEOUT",
        "mailer, 7, 33, ONESHOT_MAILER_DRAIN_TIMEOUT",
        "expiry, 0, 30, ONESHOT_EXPIRY_STOP_TIMEOUT",
        "expiry, 7, 33, ONESHOT_EXPIRY_STOP_TIMEOUT"
    })
    void podIsNotKilledBeforeItsServiceHasDrained(
            String service, int preStop, int drain, String timeouts, @TempDir Path directory) {
        // Given
        Path values = Chart.with(
                "own-servers",
                "{%s: {preStopSeconds: %d, drainSeconds: %d}}".formatted(service, preStop, drain),
                directory);

        // When
        Manifests manifests = Chart.install(values);

        // Then
        ObjectNode deployment = manifests.only("Deployment", "post-oneshot-" + service);
        Map<String, String> environment = manifests.environmentOf(deployment);
        List<String> drains = List.of(timeouts.split(" "));
        assertThat(drains).allSatisfy(name -> assertThat(environment).containsEntry(name, drain + "s"));
        assertThat(Manifests.containerOf(deployment)
                        .at("/lifecycle/preStop/sleep/seconds")
                        .asInt())
                .isEqualTo(preStop);
        assertThat(deployment
                        .at("/spec/template/spec/terminationGracePeriodSeconds")
                        .asInt())
                .isEqualTo(preStop + drains.size() * drain + CLOSE_SECONDS);
    }

    @Test
    void onlyPort25InsideThePodAddsACapability() {
        Manifests manifests = Chart.install(Chart.valueSet("smallest"));
        for (ObjectNode deployment : manifests.workloads()) {
            boolean bindsLow = Manifests.componentOf(deployment).equals("ingest");
            assertThat(Manifests.each(Manifests.containerOf(deployment).at("/securityContext/capabilities/add"))
                            .map(JsonNode::asText))
                    .containsExactlyElementsOf(bindsLow ? List.of("NET_BIND_SERVICE") : List.of());
            assertThat(deployment.at("/spec/template/spec/securityContext").has("sysctls"))
                    .isEqualTo(bindsLow);
        }
    }

    /** The security context of each workload, the migration's included. */
    private static List<JsonNode> podSecurity(String values, Path directory) {
        return Chart.install(Chart.with("own-servers", values, directory)).workloads().stream()
                .map(workload -> workload.at("/spec/template/spec/securityContext"))
                .toList();
    }
}
