package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How the number of pods is set. */
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

    @Test
    void kedaLooksAtTheGroupsOfTheServices() {
        Manifests manifests = Chart.install(Chart.valueSet("operators"));

        assertThat(Path.of("../../api-service/src/main/resources/application.properties"))
                .content()
                .contains("mail-inbound.group.id=" + group(manifests, "post-oneshot-api", "mail.inbound") + "\n");
        assertThat(Path.of("../../outbound-mailer-service/src/main/resources/application.properties"))
                .content()
                .contains("mail-due.group.id=" + group(manifests, "post-oneshot-mailer", "mail.due") + "\n");
    }

    private static String group(Manifests manifests, String name, String topic) {
        ObjectNode scaler = manifests.only("ScaledObject", name);
        assertThat(Manifests.texts(scaler, "/spec/triggers/*/type")).containsExactly("kafka");
        assertThat(Manifests.texts(scaler, "/spec/triggers/*/metadata/topic")).containsExactly(topic);
        return scaler.at("/spec/triggers/0/metadata/consumerGroup").asText();
    }
}
