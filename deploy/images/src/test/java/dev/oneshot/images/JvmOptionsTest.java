package dev.oneshot.images;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.helm.Chart;
import dev.oneshot.helm.Manifests;
import dev.oneshot.local.stack.Service;
import dev.oneshot.local.stack.StackSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Docker images, jib images, the chart and the local stack start a service with the same options. */
class JvmOptionsTest {

    private static final Path PROJECT = Path.of("../..");
    static final Path DEFAULTS = Path.of("../helm/oneshot/ci/own-servers-values.yaml");
    private static final String POD_OPTIONS = "@/etc/oneshot/jvm/options";
    private static final Pattern JIB =
            Pattern.compile("<quarkus.jib.jvm-additional-arguments>(.*)</quarkus.jib.jvm-additional-arguments>");

    @Test
    void imageTakesItsOptionsFromItsFileAndThatOfThePod() throws IOException {
        assertThat(AssembledImage.entrypoint())
                .containsExactly(
                        "/oneshot/jre/bin/java",
                        "@jvm-options",
                        POD_OPTIONS,
                        "-XX:AOTCache=app.aot",
                        "-jar",
                        "quarkus-run.jar");
    }

    @Test
    void imageOfJibHasTheOptionsOfTheFile() throws IOException {
        Matcher arguments = JIB.matcher(Files.readString(PROJECT.resolve("pom.xml")));

        assertThat(arguments.find()).isTrue();
        List<String> expected = new ArrayList<>(common());
        expected.add(POD_OPTIONS);
        assertThat(arguments.group(1).split(",")).containsExactlyElementsOf(expected);
        for (Service service : Service.values()) {
            assertThat(PROJECT.resolve(service.module()).resolve("src/main/jib" + POD_OPTIONS.substring(1)))
                    .hasSameTextualContentAs(Path.of("pod-options"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"API", "INGEST"})
    void heapAndCollectorAreTheSameInAPodAsInTheLocalStack(Service service) throws IOException {
        String inPod = inPod(service);

        List<String> local = new ArrayList<>(List.of("-Xmx" + service.heap()));
        local.addAll(service.jvmOptions());
        assertThat(inPod.split(" ")).containsExactlyElementsOf(local);
    }

    /** The heap size follows from the memory of the pod. */
    @Test
    void collectorOfTheMailerIsTheSameInAPodAsInTheLocalStack() throws IOException {
        String inPod = inPod(Service.MAILER);

        assertThat(inPod.split(" ")).containsExactlyElementsOf(Service.MAILER.jvmOptions());
    }

    static String inPod(Service service) {
        Manifests manifests = Chart.install(DEFAULTS);
        return String.valueOf(
                manifests.environmentOf(manifests.workload(service.label())).get("JVM_OPTIONS"));
    }

    private static List<String> common() throws IOException {
        return Files.readAllLines(StackSettings.jvmOptions(PROJECT)).stream()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }
}
