package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pods accept connections from the peers in the architecture, and from no others. */
class NetworkTest {

    private static final String DATABASE = "5432";
    private static final String DNS = "53";

    @EveryValueSet
    void everySelectorSelectsThePodsOfOneService(Manifests manifests) {
        List<JsonNode> selectors = Stream.of(
                        manifests.ofKind("Service").map(service -> service.at("/spec/selector")),
                        manifests.ofKind("Deployment").map(deployment -> deployment.at("/spec/selector/matchLabels")),
                        manifests.ofKind("PodDisruptionBudget").map(budget -> budget.at("/spec/selector/matchLabels")),
                        manifests.ofKind("NetworkPolicy").map(policy -> policy.at("/spec/podSelector/matchLabels")))
                .<JsonNode>flatMap(kind -> kind)
                .toList();
        assertThat(selectors).hasSizeGreaterThanOrEqualTo(9).allSatisfy(selector -> {
            assertThat(Manifests.selectsOneService(selector)).isTrue();
            assertThat(manifests.selectedBy(selector)).hasSize(1);
        });
    }

    @EveryValueSet
    void everyPortOfAServiceAndEveryPortThatIsOpenedIsOneOfThePod(Manifests manifests) {
        assertThat(manifests.ofKind("Service"))
                .allSatisfy(service -> assertThat(containerPorts(manifests, service.at("/spec/selector")))
                        .containsAll(Manifests.each(service.at("/spec/ports"))
                                .map(port -> port.path("targetPort").asText())
                                .toList()));
        assertThat(manifests.ofKind("NetworkPolicy"))
                .allSatisfy(policy -> assertThat(containerPorts(manifests, policy.at("/spec/podSelector/matchLabels")))
                        .containsAll(ports(policy.at("/spec/ingress"))));
    }

    @ParameterizedTest
    @CsvSource({
        "own-servers, api, '53 5432 9094'",
        "own-servers, migration, '53 5432'",
        "own-servers, ingest, '53 9094'",
        "own-servers, mailer, '53 587 9094'",
        "own-servers, expiry, '53 5432'",
        "operators, api, '53 5432 9093'",
        "operators, ingest, '53 9093'",
        "operators, mailer, '25 53 9093'",
        "operators, expiry, '53 5432'"
    })
    void serviceReachesOnlyWhatTheArchitectureSays(String set, String service, String expected) {
        Manifests manifests = Chart.install(Chart.valueSet(set));
        JsonNode policy = manifests.only("NetworkPolicy", "post-oneshot-" + service);
        assertThat(policy.at("/spec/policyTypes").toString()).isEqualTo("[\"Ingress\",\"Egress\"]");
        assertThat(ports(policy.at("/spec/egress")).stream()
                        .sorted(Comparator.comparingInt(Integer::parseInt))
                        .collect(Collectors.joining(" ")))
                .isEqualTo(expected);
    }

    @EveryValueSet
    void everyPodHasANetworkPolicy(Manifests manifests) {
        assertThat(manifests.workloads())
                .allSatisfy(
                        workload -> assertThat(manifests.ofKind("NetworkPolicy").map(Manifests::nameOf))
                                .contains("post-oneshot-" + Manifests.componentOf(workload)));
    }

    @Test
    void onlyPodsOfTheOperatorsAreReachedWhenTheyRunTheServers() {
        Manifests manifests = Chart.install(Chart.valueSet("operators"));
        JsonNode egress = manifests.only("NetworkPolicy", "post-oneshot-expiry").at("/spec/egress");
        JsonNode database = Manifests.each(egress)
                .filter(rule -> ports(Yaml.MAPPER.createArrayNode().add(rule)).contains(DATABASE))
                .findFirst()
                .orElseThrow();
        assertThat(database.at("/to/0/podSelector/matchLabels/cnpg.io~1cluster").asText())
                .isEqualTo(
                        Manifests.nameOf(manifests.ofKind("Cluster").findFirst().orElseThrow()));
        assertThat(Manifests.each(egress)
                        .filter(rule ->
                                ports(Yaml.MAPPER.createArrayNode().add(rule)).contains(DNS)))
                .allSatisfy(rule -> assertThat(rule.path("to")).isNotEmpty());
    }

    @EveryValueSet
    void managementPortIsPublishedNowhere(Manifests manifests) {
        assertThat(manifests.ofKind("Ingress").flatMap(ingress -> ingress.findValues("port").stream()))
                .allSatisfy(port -> assertThat(port.path("name").asText()).isEqualTo("http"));
        assertThat(manifests.ofKind("HTTPRoute").flatMap(route -> route.findValues("backendRefs").stream()))
                .allSatisfy(
                        backends -> assertThat(backends.at("/0/port").asInt()).isEqualTo(8080));
        assertThat(manifests
                        .ofKind("Service")
                        .filter(service -> !service.at("/spec/type").asText().equals("ClusterIP")))
                .allSatisfy(service -> assertThat(service.at("/spec/ports").findValuesAsText("targetPort"))
                        .containsExactly("smtp"));
        ObjectNode api = manifests.only("Service", "post-oneshot-api");
        assertThat(api.at("/spec/ports").findValuesAsText("targetPort")).containsExactly("http");
    }

    /** A policy applies to the port of a pod, which may differ from the Service's. */
    @ParameterizedTest
    @CsvSource({"api, '5353 6432 9192 9193'", "mailer, '2587 5353 9192 9193'", "expiry, '5353 6432'"})
    void portsOfPodsReplaceThoseOfTheirServices(String service, String expected, @TempDir Path directory) {
        Manifests manifests = Chart.install(Chart.with("own-servers", """
                {networkPolicy: {databasePorts: [6432], kafkaPorts: [9192, 9193], relayPorts: [2587], dnsPorts: [5353]}}
                """, directory));
        assertThat(ports(manifests
                        .only("NetworkPolicy", "post-oneshot-" + service)
                        .at("/spec/egress")))
                .containsExactlyInAnyOrder(expected.split(" "));
    }

    private static Set<String> containerPorts(Manifests manifests, JsonNode selector) {
        return manifests.selectedBy(selector).stream()
                .flatMap(workload ->
                        Manifests.each(Manifests.containerOf(workload).path("ports")))
                .map(port -> port.path("name").asText())
                .collect(Collectors.toSet());
    }

    private static Set<String> ports(JsonNode rules) {
        return Manifests.each(rules)
                .flatMap(rule -> Manifests.each(rule.path("ports")))
                .map(port -> port.path("port").asText())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
