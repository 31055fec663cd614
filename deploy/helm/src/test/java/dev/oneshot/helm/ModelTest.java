package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kubernetes, or the operator of its kind, knows every field of every object. */
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
            Map.entry("PodDisruptionBudget", PodDisruptionBudget.class));

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
        assertThat(manifests.objects().stream().flatMap(object -> errors(object).stream()))
                .isEmpty();
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

    @Test
    void fieldThatKubernetesDoesNotKnowIsFound() {
        assertThat(errors(Yaml.parse("""
                apiVersion: v1
                kind: Service
                metadata: {name: x}
                spec: {ports: [{port: 1, tragetPort: http}]}
                """))).singleElement().asString().contains("tragetPort");
    }

    @Test
    void fieldThatAnOperatorDoesNotKnowIsFound() {
        assertThat(errors(Yaml.parse("""
                apiVersion: kafka.strimzi.io/v1
                kind: KafkaTopic
                metadata: {name: x, labels: {strimzi.io/cluster: k}}
                spec: {partitions: 0, replica: 3}
                """)))
                .satisfiesExactlyInAnyOrder(
                        error -> assertThat(error).startsWith("KafkaTopic x: /spec/partitions: "),
                        error ->
                                assertThat(error).startsWith("KafkaTopic x: /spec: property 'replica' is not defined"));
    }

    private static List<String> errors(ObjectNode object) {
        String title = Manifests.titleOf(object) + ": ";
        Class<? extends HasMetadata> model = MODELS.get(object.path("kind").asText());
        if (model == null) {
            return CustomResourceSchema.errors(object).stream()
                    .map(title::concat)
                    .toList();
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
