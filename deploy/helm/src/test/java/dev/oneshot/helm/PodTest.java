package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every pod promises: nothing of the node's, no root, probes, and time to end. */
class PodTest {

    @ParameterizedTest
    @MethodSource("workloads")
    void podMeetsTheRestrictedPodSecurityStandard(String set, ObjectNode workload) {
        JsonNode pod = workload.at("/spec/template/spec");
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

    @ParameterizedTest
    @MethodSource("workloads")
    void podWritesNowhereButToItsOwnTemporaryDirectory(String set, ObjectNode workload) {
        JsonNode container = Manifests.containerOf(workload);
        assertThat(container.at("/securityContext/readOnlyRootFilesystem").asBoolean())
                .isTrue();
        assertThat(Manifests.each(container.path("volumeMounts"))
                        .filter(mount -> !mount.path("readOnly").asBoolean())
                        .map(mount -> mount.path("mountPath").asText()))
                .containsExactly("/tmp");
    }

    @ParameterizedTest
    @MethodSource("workloads")
    void podHasNoTokenForTheApiServer(String set, ObjectNode workload) {
        assertThat(workload.at("/spec/template/spec/automountServiceAccountToken")
                        .asBoolean(true))
                .isFalse();
    }

    @ParameterizedTest
    @MethodSource("workloads")
    void podHasALimitOfMemoryAndARequestOfCpu(String set, ObjectNode workload) {
        JsonNode resources = Manifests.containerOf(workload).path("resources");
        assertThat(resources.at("/limits/memory").asText()).isNotEmpty();
        assertThat(resources.at("/requests/memory").asText()).isNotEmpty();
        assertThat(resources.at("/requests/cpu").asText()).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("deployments")
    void probesAskTheManagementPort(String set, ObjectNode deployment) {
        JsonNode container = Manifests.containerOf(deployment);
        assertThat(Stream.of("startupProbe", "livenessProbe", "readinessProbe")
                        .map(probe -> container
                                        .at("/" + probe + "/httpGet/path")
                                        .asText() + " "
                                + container.at("/" + probe + "/httpGet/port").asText()))
                .containsExactly(
                        "/q/health/started management", "/q/health/live management", "/q/health/ready management");
        assertThat(portsOf(container)).contains("management");
    }

    @ParameterizedTest
    @MethodSource("deployments")
    void gracePeriodIsLongerThanWhatTheServiceTakesToEnd(String set, ObjectNode deployment) {
        int sleep = Manifests.containerOf(deployment)
                .at("/lifecycle/preStop/sleep/seconds")
                .asInt();
        ObjectNode values = Yaml.read(Chart.DIRECTORY.resolve("values.yaml"));
        int drain = values.at("/" + Manifests.componentOf(deployment) + "/drainSeconds")
                .asInt();
        assertThat(drain).isPositive();
        assertThat(deployment
                        .at("/spec/template/spec/terminationGracePeriodSeconds")
                        .asInt())
                .isGreaterThan(sleep + drain);
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

    private static Stream<String> portsOf(JsonNode container) {
        return Manifests.each(container.path("ports"))
                .map(port -> port.path("name").asText());
    }

    static Stream<Object[]> workloads() {
        return Chart.valueSets().stream()
                .flatMap(set -> Chart.install(set).workloads().stream()
                        .map(workload -> new Object[] {title(set, workload), workload}));
    }

    static Stream<Object[]> deployments() {
        return workloads()
                .filter(arguments ->
                        ((ObjectNode) arguments[1]).path("kind").asText().equals("Deployment"));
    }

    private static String title(Path set, ObjectNode workload) {
        return set.getFileName() + ": " + Manifests.titleOf(workload);
    }
}
