package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.stream.Stream;

/** What the pods of any service may write and use. {@link RenderedValuesTest} has their security, probes and drains. */
class PodTest {

    @EveryValueSet
    void podWritesOnlyToItsTemporaryDirectoryAndHasALimitOfMemoryAndARequestOfCpu(Manifests manifests) {
        assertThat(manifests.workloads()).isNotEmpty().allSatisfy(PodTest::assertIsBounded);
    }

    private static void assertIsBounded(ObjectNode workload) {
        assertThat(Manifests.each(workload.at("/spec/template/spec/volumes"))
                        .filter(volume -> !volume.has("emptyDir") && !volume.has("secret") && !volume.has("configMap")))
                .isEmpty();
        JsonNode container = Manifests.containerOf(workload);
        assertThat(Manifests.each(container.path("volumeMounts"))
                        .filter(mount -> !mount.path("readOnly").asBoolean())
                        .map(mount -> mount.path("mountPath").asText()))
                .containsExactly("/tmp");
        assertThat(Stream.of("/limits/memory", "/requests/memory", "/requests/cpu")
                        .filter(amount -> container.path("resources").at(amount).isMissingNode()))
                .isEmpty();
    }
}
