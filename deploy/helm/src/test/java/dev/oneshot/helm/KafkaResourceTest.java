package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;

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

/** Strimzi creates the Kafka that the services need. */
class KafkaResourceTest {

    @Test
    void topicsAreThoseOfTheContractsAndBrokersTakeTheLargestRecord() {
        // When
        Manifests manifests = Chart.install(Chart.valueSet("operators"));

        // Then
        Map<String, Map<String, String>> topics = manifests
                .ofKind("KafkaTopic")
                .collect(Collectors.toMap(
                        topic -> topic.at("/spec/topicName").asText(),
                        topic -> Yaml.MAPPER.convertValue(topic.at("/spec/config"), new TypeReference<>() {})));
        assertThat(topics).isEqualTo(topicConfigurations());
        JsonNode config = manifests.only("Kafka", "post-oneshot-kafka").at("/spec/kafka/config");
        assertThat(config.path("message.max.bytes").asInt()).isEqualTo(Topic.RECORD_BYTES_MAX);
        assertThat(config.path("replica.fetch.max.bytes").asInt()).isEqualTo(Topic.RECORD_BYTES_MAX);
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
        }
    }

    private static String roles(KubernetesApi api, String pool) {
        JsonNode spec = api.only("KafkaNodePool", "post-oneshot-kafka-" + pool).path("spec");
        return spec.path("replicas") + " " + spec.path("roles");
    }
}
