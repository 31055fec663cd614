package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import dev.oneshot.contracts.event.Topic;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Strimzi creates the Kafka that the services need. */
class KafkaResourceTest {

    @Test
    void topicsAreThoseOfTheContractsWithThreeReplicasAndBrokersTakeTheLargestRecord() {
        // When
        Manifests manifests = Chart.install(Chart.valueSet("operators"));

        // Then
        Map<String, Map<String, String>> topics = manifests
                .ofKind("KafkaTopic")
                .collect(Collectors.toMap(
                        topic -> topic.at("/spec/topicName").asText(),
                        topic -> Yaml.MAPPER.convertValue(topic.at("/spec/config"), new TypeReference<>() {})));
        assertThat(topics).isEqualTo(topicConfigurations());
        assertThat(manifests.ofKind("KafkaTopic"))
                .allSatisfy(
                        topic -> assertThat(topic.at("/spec/replicas").asInt()).isEqualTo(3));
        assertThat(manifests
                        .only("KafkaTopic", "post-oneshot-mail-inbound")
                        .at("/spec/partitions")
                        .asInt())
                .isEqualTo(48);
        JsonNode config = manifests.only("Kafka", "post-oneshot-kafka").at("/spec/kafka/config");
        assertThat(config.path("message.max.bytes").asInt()).isEqualTo(Topic.RECORD_BYTES_MAX);
        assertThat(config.path("replica.fetch.max.bytes").asInt()).isEqualTo(Topic.RECORD_BYTES_MAX);
        assertThat(config.path("auto.create.topics.enable").asBoolean(true)).isFalse();
    }

    /** The configurations of the topics in the contracts, for three replicas. */
    static Map<String, Map<String, String>> topicConfigurations() {
        return Arrays.stream(Topic.values()).collect(Collectors.toMap(Topic::topicName, topic -> {
            Map<String, String> configuration = new HashMap<>(topic.configuration());
            configuration.put("min.insync.replicas", "2");
            return configuration;
        }));
    }

    @Test
    void everyTopicHasAWriterAndEveryRuleATopic() {
        // Given
        Set<String> topics = Arrays.stream(Topic.values()).map(Topic::topicName).collect(Collectors.toSet());

        // When
        Manifests manifests = Chart.install(Chart.valueSet("operators"));

        // Then
        Function<String, Set<String>> allowed = operation -> manifests
                .ofKind("KafkaUser")
                .flatMap(user -> Manifests.each(user.at("/spec/authorization/acls")))
                .filter(rule -> rule.at("/resource/type").asText().equals("topic"))
                .filter(rule -> rule.path("operations").toString().contains("\"" + operation + "\""))
                .map(rule -> rule.at("/resource/name").asText())
                .collect(Collectors.toSet());
        assertThat(allowed.apply("Write")).isEqualTo(topics);
        assertThat(Stream.of("Read", "Delete").map(allowed).flatMap(Set::stream))
                .isSubsetOf(topics);
    }

    @Test
    void ingestMayOnlyWriteMailAndReadWhatIsClosed() {
        JsonNode rules = Chart.install(Chart.valueSet("operators"))
                .only("KafkaUser", "post-oneshot-ingest")
                .at("/spec/authorization/acls");
        assertThat(Manifests.each(rules)
                        .map(rule -> rule.at("/resource/name").asText() + " " + rule.path("operations")))
                .containsExactly(
                        "address.closed [\"Read\",\"Describe\",\"DescribeConfigs\"]",
                        "mail.inbound [\"Write\",\"Describe\"]",
                        "oneshot-ingest [\"Read\",\"Describe\"]");
    }

    @Test
    void mailerMayCommitUnderItsOwnName() {
        JsonNode rules = Chart.install(Chart.valueSet("operators"))
                .only("KafkaUser", "post-oneshot-mailer")
                .at("/spec/authorization/acls");
        assertThat(Manifests.each(rules)
                        .filter(rule -> !rule.at("/resource/type").asText().equals("topic"))
                        .map(rule -> rule.at("/resource/type").asText() + " "
                                + rule.at("/resource/name").asText() + " "
                                + rule.at("/resource/patternType").asText() + " " + rule.path("operations")))
                .containsExactly("group oneshot-mailer prefix [\"Read\",\"Describe\"]");
    }

    /** A single broker cannot have two in-sync replicas. */
    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "3, 2"})
    void noMoreReplicasMustBeInSyncThanThereAre(int replicationFactor, int inSync, @TempDir Path directory) {
        // When
        Manifests manifests = Chart.install(Chart.with(
                "operators",
                "{strimzi: {replicationFactor: %d, minInSyncReplicas: %d}}"
                        .formatted(replicationFactor, replicationFactor == 2 ? 1 : 2),
                directory));

        // Then
        JsonNode config = manifests.only("Kafka", "post-oneshot-kafka").at("/spec/kafka/config");
        assertThat(config.path("min.insync.replicas").asInt()).isEqualTo(inSync);
        assertThat(config.path("transaction.state.log.min.isr").asInt()).isEqualTo(inSync);
        assertThat(manifests.ofKind("KafkaTopic"))
                .isNotEmpty()
                .allSatisfy(topic -> assertThat(topic.at("/spec/config")
                                .path("min.insync.replicas")
                                .asInt())
                        .isEqualTo(inSync));
    }

    @Test
    void brokersAndStandbysAreSpreadOverNodesAndZones() {
        Manifests manifests = Chart.install(Chart.valueSet("operators"));
        JsonNode pods =
                manifests.only("KafkaNodePool", "post-oneshot-kafka-nodes").at("/spec/template/pod");
        JsonNode cluster = manifests.only("Cluster", "post-oneshot-postgres").path("spec");

        assertThat(pods.findValuesAsText("topologyKey"))
                .containsExactly("topology.kubernetes.io/zone", "kubernetes.io/hostname");
        assertThat(cluster.at("/affinity/topologyKey").asText()).isEqualTo("kubernetes.io/hostname");
        assertThat(cluster.path("topologySpreadConstraints").findValuesAsText("topologyKey"))
                .containsExactly("topology.kubernetes.io/zone");
    }

    /** Strimzi neither adds nor removes controllers. */
    @Test
    void clusterGrowsByBrokersThatAreNoControllers(@TempDir Path directory) throws Exception {
        try (KubernetesApi api = new KubernetesApi()) {
            // Given
            Path small = Chart.with("operators", "{strimzi: {brokers: 0}}", directory);
            Chart.install(api, small);
            assertThat(new Manifests(api.created()).ofKind("KafkaNodePool").map(Manifests::nameOf))
                    .containsExactly("post-oneshot-kafka-nodes");

            // When
            Chart.upgrade(api, Chart.with("operators", "{strimzi: {brokers: 3}}", directory));

            // Then
            assertThat(roles(api, "nodes")).isEqualTo("3 [\"controller\",\"broker\"]");
            assertThat(roles(api, "brokers")).isEqualTo("3 [\"broker\"]");
            Path controllers = Chart.with("operators", "{strimzi: {nodes: 5}}", directory);
            assertThatThrownBy(() -> Chart.upgrade(api, controllers))
                    .hasMessageContaining("strimzi.nodes cannot change from 3 to 5");
        }
    }

    private static String roles(KubernetesApi api, String pool) {
        JsonNode spec = api.only("KafkaNodePool", "post-oneshot-kafka-" + pool).path("spec");
        return spec.path("replicas") + " " + spec.path("roles");
    }

    @Test
    void operatorsUserMayReplayDeadLettersOnceItIsAskedFor(@TempDir Path directory) {
        // When
        Manifests without = Chart.install(Chart.valueSet("operators"));
        Manifests with = Chart.install(Chart.with("operators", "{strimzi: {operatorUser: true}}", directory));

        // Then
        assertThat(without.ofKind("KafkaUser").map(Manifests::nameOf)).doesNotContain("post-oneshot-operator");
        JsonNode rules = with.only("KafkaUser", "post-oneshot-operator").at("/spec/authorization/acls");
        assertThat(Manifests.each(rules)
                        .map(rule -> rule.at("/resource/name").asText() + " "
                                + rule.at("/operations/0").asText()))
                .containsExactly(
                        "mail.inbound Read",
                        "mail.inbound.dlq Read",
                        "mail.settled.dlq Read",
                        "mail.inbound Write",
                        "mail.settled Write",
                        "oneshot-api Read",
                        "oneshot-operator Read");
    }
}
