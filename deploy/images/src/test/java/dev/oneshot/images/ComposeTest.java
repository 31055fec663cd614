package dev.oneshot.images;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.oneshot.contracts.event.Topic;
import dev.oneshot.helm.Chart;
import dev.oneshot.local.stack.Service;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** Checks of {@code compose.yaml} without Docker. */
class ComposeTest {

    private static final Path FOLDER = Path.of("../compose");
    private static final Pattern CREATED =
            Pattern.compile("(?m)^create (\\S+) --config retention\\.ms=(\\d+) --config segment\\.ms=(\\d+)$");
    private static final Pattern NEEDED = Pattern.compile("\\$\\{(ONESHOT_\\w+):\\?");

    @ParameterizedTest
    @EnumSource
    void eachServiceHasItsImageItsLimitAndOnlySettingsThatItReads(Service service) throws Exception {
        JsonNode part = services().path(service.label());

        assertThat(part.at("/image").textValue()).isEqualTo("oneshot-" + service.module());
        assertThat(part.at("/build/args/SERVICE").textValue()).isEqualTo(service.module());
        assertThat(FOLDER.resolve(part.at("/build/context").textValue())
                        .resolve(part.at("/build/dockerfile").textValue()))
                .isRegularFile();
        JsonNode pod = Chart.install(JvmOptionsTest.DEFAULTS)
                .workload(service.label())
                .at("/spec/template/spec");
        JsonNode limit = pod.at("/containers/0/resources/limits/memory");
        assertThat(part.at("/mem_limit").textValue()).isEqualTo(AssembledImage.jvmSize(limit.textValue()));
        assertThat(part.at("/stop_grace_period").textValue())
                .isEqualTo(pod.path("terminationGracePeriodSeconds").asInt() + "s");
        assertThat(jvmOptions(part)).isEqualTo(JvmOptionsTest.inPod(service));
        List<String> settings = new ArrayList<>();
        part.path("environment").fieldNames().forEachRemaining(settings::add);
        assertThat(settings)
                .contains("ONESHOT_MANAGEMENT_HOST")
                .allMatch(name -> name.startsWith("KAFKA_") || service.reads(name));
    }

    @Test
    void topicsAreThoseOfTheContracts() throws Exception {
        Map<String, List<String>> created = new TreeMap<>();
        Matcher line = CREATED.matcher(Files.readString(FOLDER.resolve("create-topics.sh")));
        while (line.find()) {
            created.put(line.group(1), List.of(line.group(2), line.group(3)));
        }
        Map<String, List<String>> expected = new TreeMap<>();
        Arrays.stream(Topic.values())
                .forEach(topic -> expected.put(
                        topic.topicName(),
                        List.of(
                                topic.configuration().getOrDefault("retention.ms", ""),
                                topic.configuration().getOrDefault("segment.ms", ""))));

        assertThat(created).isEqualTo(expected);
        assertThat(Files.readString(FOLDER.resolve("create-topics.sh")))
                .contains("cleanup.policy=delete", "max.message.bytes=" + Topic.RECORD_BYTES_MAX);
    }

    @Test
    void readmeMakesEachSecretThatIsNeeded() throws Exception {
        String readme = Files.readString(FOLDER.resolve("README.md"));

        assertThat(NEEDED.matcher(Files.readString(FOLDER.resolve("compose.yaml")))
                        .results()
                        .map(needed -> needed.group(1).substring("ONESHOT_".length())))
                .isNotEmpty()
                .allMatch(name -> readme.matches("(?s).*for name in [A-Z_ ]*\\b" + name + "\\b.*"));
    }

    @ParameterizedTest
    @ValueSource(strings = {".gitignore", ".dockerignore"})
    void secretsAreInNoCommitAndNoImage(String ignored) throws Exception {
        assertThat(Files.readAllLines(Path.of("../..", ignored))).contains("deploy/compose/.env");
    }

    /** The file of further JVM options that a service has; empty if it has none. */
    private static String jvmOptions(JsonNode service) throws Exception {
        JsonNode mounted = service.at("/configs/0");
        if (mounted.isMissingNode()) {
            return "";
        }
        assertThat("@" + mounted.path("target").asText()).isIn(AssembledImage.entrypoint());
        return file("configs")
                .path(mounted.path("source").asText())
                .path("content")
                .asText();
    }

    private static JsonNode services() throws Exception {
        return file("services");
    }

    private static JsonNode file(String section) throws Exception {
        // Jackson merges no anchors.
        Map<String, Object> file = new Yaml().load(Files.readString(FOLDER.resolve("compose.yaml")));
        return new ObjectMapper().valueToTree(file.get(section));
    }
}
