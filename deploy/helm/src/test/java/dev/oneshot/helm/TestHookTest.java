package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.marcnuri.helm.Helm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The objects of {@code helm test}, which an installation does not create. */
class TestHookTest {

    private static final String LABELS = "/metadata/labels";

    @Test
    void podTriesTheServicesOfTheReleaseAndItsPoliciesLetItDoSo(@TempDir Path directory) throws IOException {
        // When
        Manifests manifests = tested(Chart.with("own-servers", "{api: {port: 8181}}", directory));

        // Then
        ObjectNode pod = manifests.only("Pod", "post-oneshot-test");
        ObjectNode policy = manifests.only("NetworkPolicy", "post-oneshot-test");
        assertThat(List.of(pod, policy)).allSatisfy(object -> {
            assertThat(ModelTest.errors(object)).isEmpty();
            assertThat(object.at("/metadata/annotations/helm.sh~1hook").asText())
                    .isEqualTo("test");
        });
        assertThat(pod.at("/spec/containers/0/args/0").asText())
                .contains("http://post-oneshot-api:8181/openapi\n")
                .contains("nc -w 10 post-oneshot-smtp 25 ");
        assertThat(port(manifests, "post-oneshot-api")).isEqualTo("http 8181");
        assertThat(port(manifests, "post-oneshot-smtp")).isEqualTo("smtp 25");
        assertThat(Manifests.texts(policy, "/spec/egress/0/ports/*/port")).containsExactly("http", "smtp");
        assertThat(pod.at(LABELS)).containsAll(policy.at("/spec/podSelector/matchLabels"));
        assertThat(policy.at("/spec/egress/0/to/0/podSelector/matchLabels").properties())
                .isNotEmpty()
                .isSubsetOf(manifests
                        .only("Deployment", "post-oneshot-api")
                        .at("/spec/template" + LABELS)
                        .properties());
        assertThat(manifests.only("NetworkPolicy", "post-oneshot-api").at("/spec/ingress/0/from"))
                .anySatisfy(
                        peer -> assertThat(peer.at("/podSelector/matchLabels").properties())
                                .isNotEmpty()
                                .isSubsetOf(pod.at(LABELS).properties()));
        // Anyone may connect to SMTP.
        assertThat(manifests
                        .only("NetworkPolicy", "post-oneshot-ingest")
                        .at("/spec/ingress/0")
                        .has("from"))
                .isFalse();
    }

    private static String port(Manifests manifests, String service) {
        JsonNode port = manifests.only("Service", service).at("/spec/ports/0");
        return port.path("targetPort").asText() + " " + port.path("port").asText();
    }

    /** All objects after {@code helm install} and {@code helm test}. */
    private static Manifests tested(Path values) throws IOException {
        try (KubernetesApi api = new KubernetesApi()) {
            Chart.install(api, values);
            Helm.test(Chart.RELEASE)
                    .withNamespace(Chart.NAMESPACE)
                    .withKubeConfigContents(api.kubeConfig())
                    .call();
            return new Manifests(api.created());
        }
    }
}
