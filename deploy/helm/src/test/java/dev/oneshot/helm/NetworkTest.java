package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Pods accept connections from the peers in the architecture, and from no others. */
class NetworkTest {

    @EveryValueSet
    void everySelectorSelectsThePodsOfOneService(Manifests manifests) {
        List<JsonNode> selectors = new ArrayList<>();
        manifests.ofKind("Service").forEach(service -> selectors.add(service.at("/spec/selector")));
        manifests.ofKind("NetworkPolicy").forEach(policy -> selectors.add(policy.at("/spec/podSelector/matchLabels")));
        Stream.of("Deployment", "PodDisruptionBudget")
                .flatMap(manifests::ofKind)
                .forEach(object -> selectors.add(object.at("/spec/selector/matchLabels")));
        assertThat(selectors).hasSizeGreaterThanOrEqualTo(9).allSatisfy(selector -> {
            assertThat(Manifests.selectsOneService(selector)).isTrue();
            assertThat(manifests.selectedBy(selector)).hasSize(1);
        });
    }

    @EveryValueSet
    void everyPortOfAServiceAndEveryPortThatIsOpenedIsOneOfThePod(Manifests manifests) {
        assertThat(manifests.ofKind("Service"))
                .allSatisfy(service -> assertThat(containerPorts(manifests, service.at("/spec/selector")))
                        .containsAll(Manifests.texts(service, "/spec/ports/*/targetPort")));
        assertThat(manifests.ofKind("NetworkPolicy"))
                .allSatisfy(policy -> assertThat(containerPorts(manifests, policy.at("/spec/podSelector/matchLabels")))
                        .containsAll(Manifests.texts(policy, "/spec/ingress/*/ports/*/port")));
    }

    @EveryValueSet
    void everyPodHasANetworkPolicy(Manifests manifests) {
        assertThat(manifests.workloads())
                .allSatisfy(
                        workload -> assertThat(manifests.ofKind("NetworkPolicy").map(Manifests::nameOf))
                                .contains("post-oneshot-" + Manifests.componentOf(workload)));
    }

    private static List<String> containerPorts(Manifests manifests, JsonNode selector) {
        return manifests.selectedBy(selector).stream()
                .flatMap(workload -> Manifests.texts(Manifests.containerOf(workload), "/ports/*/name").stream())
                .toList();
    }
}
