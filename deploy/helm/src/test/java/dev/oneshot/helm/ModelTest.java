package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.certmanager.api.model.v1.Certificate;
import io.fabric8.certmanager.api.model.v1.Issuer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRoute;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.openshift.api.model.monitoring.v1.PodMonitor;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.strimzi.api.kafka.model.kafka.Kafka;
import io.strimzi.api.kafka.model.nodepool.KafkaNodePool;
import io.strimzi.api.kafka.model.topic.KafkaTopic;
import io.strimzi.api.kafka.model.user.KafkaUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kubernetes, or the operator of its kind, knows every field of every object. {@link CustomResourceIT} checks further kinds. */
class ModelTest {

    private static final Map<String, Class<? extends HasMetadata>> MODELS = Map.ofEntries(
            Map.entry("ConfigMap", ConfigMap.class),
            Map.entry("Pod", Pod.class),
            Map.entry("Secret", Secret.class),
            Map.entry("Service", Service.class),
            Map.entry("ServiceAccount", ServiceAccount.class),
            Map.entry("Deployment", Deployment.class),
            Map.entry("HorizontalPodAutoscaler", HorizontalPodAutoscaler.class),
            Map.entry("Job", Job.class),
            Map.entry("HTTPRoute", HTTPRoute.class),
            Map.entry("Ingress", Ingress.class),
            Map.entry("NetworkPolicy", NetworkPolicy.class),
            Map.entry("PodDisruptionBudget", PodDisruptionBudget.class),
            Map.entry("Certificate", Certificate.class),
            Map.entry("Issuer", Issuer.class),
            Map.entry("Kafka", Kafka.class),
            Map.entry("KafkaNodePool", KafkaNodePool.class),
            Map.entry("KafkaTopic", KafkaTopic.class),
            Map.entry("KafkaUser", KafkaUser.class),
            Map.entry("PodMonitor", PodMonitor.class),
            Map.entry("PrometheusRule", PrometheusRule.class));

    /** The models accept unknown fields; here these are errors. */
    private static final ObjectMapper STRICT = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .setAnnotationIntrospector(new JacksonAnnotationIntrospector() {
                private static final long serialVersionUID = 1;

                @Override
                public Boolean hasAnySetter(Annotated annotated) {
                    return false;
                }
            });

    @EveryValueSet
    void everyObjectHasOnlyFieldsOfItsKind(Manifests manifests) {
        assertThat(manifests.objects()).isNotEmpty();
        assertThat(errors(manifests)).isEmpty();
    }

    /** By the operators' own definitions, if {@code -Doneshot.crds} names their folder: src/test/resources/operators/README.md. */
    @EveryValueSet
    void everyObjectIsValidByTheDefinitionOfItsOperator(Manifests manifests) throws IOException {
        // Given
        String folder = System.getProperty("oneshot.crds");
        assumeTrue(folder != null, "no -Doneshot.crds");
        List<ObjectNode> definitions;
        try (Stream<Path> files = Files.list(Path.of(folder))) {
            definitions = files.filter(file -> file.toString().endsWith(".yaml"))
                    .map(Yaml::read)
                    .toList();
        }
        assertThat(definitions).isNotEmpty();

        // Then
        assertThat(manifests.objects())
                .allSatisfy(object -> assertThat(CustomResourceSchema.errors(object, definitions))
                        .as(Manifests.titleOf(object))
                        .isEmpty());
    }

    @ParameterizedTest
    @CsvSource({
        "nameOverride, 123, post-123",
        "nameOverride, 1e3, post-1e3",
        "nameOverride, 'true', post-true",
        "fullnameOverride, 'true', 'true'"
    })
    void aNameThatYamlTakesForSomethingElseStaysAText(String value, String text, String name, @TempDir Path directory) {
        // When
        Manifests manifests = Chart.install(Chart.smallestWith(
                "{%s: '%s', monitoring: {podMonitor: true, rules: true}}".formatted(value, text), directory));

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

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{apiVersion: v1, kind: Service, metadata: {name: x}, spec: {ports: [{port: 1, tragetPort: http}]}} |"
                        + " tragetPort",
                "{apiVersion: kafka.strimzi.io/v1, kind: KafkaTopic, metadata: {name: x}, spec: {replica: 3}} |"
                        + " replica",
                "{apiVersion: kafka.strimzi.io/v1, kind: Kafka, metadata: {name: x}, spec: {kafka: {listeners: [{prot:"
                        + " 1}]}}} | prot",
                "{apiVersion: cert-manager.io/v1, kind: Certificate, metadata: {name: x}, spec: {dnsName: [a]}} |"
                        + " dnsName",
                "{apiVersion: monitoring.coreos.com/v1, kind: PodMonitor, metadata: {name: x}, spec:"
                        + " {podMetricsEndpoints: [{prt: a}]}} | prt",
                "{apiVersion: postgresql.cnpg.io/v1, kind: Pooler, metadata: {name: x}} | no model of its kind",
                "{apiVersion: apps/v1beta1, kind: Deployment, metadata: {name: x}} | apiVersion is apps/v1beta1"
            })
    void whatKubernetesOrAnOperatorDoesNotKnowIsFound(String object, String unknown) {
        assertThat(errors(Yaml.parse(object)))
                .anySatisfy(error -> assertThat(error).contains(unknown));
    }

    static List<String> errors(Manifests manifests) {
        return manifests.objects().stream()
                .flatMap(object -> errors(object).stream())
                .toList();
    }

    /** What Kubernetes or an operator does not know of an object. */
    static List<String> errors(ObjectNode object) {
        String title = Manifests.titleOf(object) + ": ";
        String kind = object.path("kind").asText();
        Class<? extends HasMetadata> model = MODELS.get(kind);
        if (model == null) {
            return CustomResourceIT.KINDS.contains(kind) ? List.of() : List.of(title + "no model of its kind");
        }
        List<String> complaints = new ArrayList<>();
        try {
            HasMetadata read = STRICT.treeToValue(object, model);
            if (!read.getApiVersion().equals(HasMetadata.getApiVersion(model))) {
                complaints.add(title + "apiVersion is " + read.getApiVersion());
            }
        } catch (JsonProcessingException e) {
            complaints.add(title + e.getOriginalMessage());
        }
        return complaints;
    }
}
