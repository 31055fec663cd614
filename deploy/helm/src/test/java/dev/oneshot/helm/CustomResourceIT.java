package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.oneshot.local.backends.Program;
import dev.oneshot.local.stack.junit.NodeProject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * CloudNativePG and KEDA know every field of their objects, and accept its value: src/test/resources/operators/README.md. Without Node
 * and npm it is skipped, and a line says so.
 */
class CustomResourceIT {

    /** The kinds without a model in Maven Central. */
    static final List<String> KINDS = List.of("Cluster", "ScaledObject", "TriggerAuthentication");

    private static final Path RESOURCES = Path.of("src/test/resources");
    private static final Pattern ERROR = Pattern.compile("objects\\.ts\\((\\d+),\\d+\\): (.*)");

    /** Objects with one error, and what names it. */
    private static final List<Map.Entry<String, String>> WRONG = List.of(
            Map.entry(cluster("instances: 3, storage: {size: 1Gi}, replica_s: 1"), "replica_s"),
            Map.entry(cluster("instances: 3, storage: {sice: 1Gi}"), "sice"),
            Map.entry(cluster("storage: {size: 1Gi}"), "instances"),
            Map.entry(cluster("instances: 0, storage: {size: 1Gi}"), "/spec/instances"),
            Map.entry(cluster("instances: '3', storage: {size: 1Gi}"), "not assignable to type 'number'"),
            Map.entry(
                    cluster("instances: 3, storage: {size: 1Gi}, primaryUpdateStrategy: supervized"), "\"supervized\""),
            Map.entry(
                    cluster("instances: 3, storage: {size: 1Gi}, postgresql: {parameters: {max_connections: 100}}"),
                    "not assignable to type 'string'"),
            Map.entry(
                    cluster("instances: 3, storage: {size: 1Gi}").replace("cnpg.io/v1", "cnpg.io/v2"),
                    "postgresql.cnpg.io/v2"),
            Map.entry(scaledObject("scaleTargetRef: {nome: api}, triggers: []"), "nome"),
            Map.entry(scaledObject("scaleTargetRef: {name: api}"), "triggers"),
            Map.entry(
                    scaledObject("scaleTargetRef: {name: api}, triggers: [{type: cpu, metadata: {value: 70}}]"),
                    "not assignable to type 'string'"),
            Map.entry(
                    scaledObject("scaleTargetRef: {name: api}, triggers: [], fallback: {failureThreshold: 3,"
                            + " replicas: 2, behavior: never}"),
                    "\"never\""),
            Map.entry(
                    scaledObject("scaleTargetRef: {name: api}, triggers: [], advanced: {horizontalPodAutoscalerConfig:"
                            + " {behavior: {scaleDown: {policies: [{type: Pods, value: 1, periods: 60}]}}}}"),
                    "periods"),
            Map.entry(
                    "{apiVersion: keda.sh/v1alpha1, kind: TriggerAuthentication, metadata: {name: x}, spec:"
                            + " {secretTargetRef: [{parameter: ca, name: x, kei: y}]}}",
                    "kei"));

    @TempDir
    private static Path project;

    @BeforeAll
    static void install() throws Exception {
        NodeProject.copy(RESOURCES.resolve("operators"), project);
        new NodeProject("the chart's objects of CloudNativePG and KEDA", project).install();
    }

    @Test
    void operatorsKnowEveryFieldAndAcceptItsValue(@TempDir Path directory) throws Exception {
        // Given
        List<ObjectNode> objects = objects(directory);
        assertThat(objects)
                .extracting(object -> object.path("kind").asText())
                .containsAll(KINDS)
                .hasSizeGreaterThan(10);

        // Then
        assertThat(errors(objects)).allSatisfy(errors -> assertThat(errors).isEmpty());
    }

    @Test
    void everyWrongObjectIsFound() throws Exception {
        List<String> errors =
                errors(WRONG.stream().map(wrong -> Yaml.parse(wrong.getKey())).toList());

        assertThat(errors)
                .zipSatisfy(
                        WRONG,
                        (found, wrong) -> assertThat(found).as(wrong.getKey()).contains(wrong.getValue()));
    }

    private static String cluster(String spec) {
        return "{apiVersion: postgresql.cnpg.io/v1, kind: Cluster, metadata: {name: x}, spec: {" + spec + "}}";
    }

    private static String scaledObject(String spec) {
        return "{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, metadata: {name: x}, spec: {" + spec + "}}";
    }

    /** The different objects of these kinds, of every value set and of the rendered values about such objects. */
    private static List<ObjectNode> objects(Path directory) throws IOException {
        Stream<Manifests> rendered = Files.readAllLines(RESOURCES.resolve("rendered-values.txt")).stream()
                .map(line -> line.split("\\|", 4))
                .filter(line ->
                        line.length == 4 && KINDS.contains(line[2].strip().split(" ", 2)[0]))
                .flatMap(line -> Stream.of(line[0].strip().split(" ")).map(set -> Chart.with(set, line[1], directory)))
                .map(Chart::install);
        return Stream.concat(Chart.installations().map(Named::getPayload), rendered)
                .flatMap(manifests -> manifests.objects().stream())
                .filter(object -> KINDS.contains(object.path("kind").asText()))
                .distinct()
                .toList();
    }

    /** What the operators reject of each object; an empty text if nothing. */
    private static List<String> errors(List<ObjectNode> objects) throws Exception {
        // The first line imports the functions of kinds.ts, and each other line calls one.
        List<String> lines = new ArrayList<>();
        lines.add("import { %s } from \"./kinds.js\";".formatted(String.join(", ", KINDS)));
        for (ObjectNode object : objects) {
            lines.add("%s(%d, %s);".formatted(object.path("kind").asText(), lines.size() + 1, object));
        }
        Files.write(project.resolve("objects.ts"), lines);

        Program.Result compiler = run("node_modules/.bin/tsc", "--project", ".");
        Program.Result validation = run("node", "out/objects.js");
        assertThat(validation.exitCode()).as(validation.all()).isZero();

        Map<Integer, List<String>> errors = (compiler.out() + validation.out())
                .lines()
                .map(ERROR::matcher)
                .filter(Matcher::matches)
                .collect(Collectors.groupingBy(
                        error -> Integer.valueOf(error.group(1)),
                        Collectors.mapping(error -> error.group(2), Collectors.toList())));
        assertThat(compiler.exitCode() == 0 || !errors.isEmpty())
                .as(compiler.all())
                .isTrue();
        return IntStream.range(0, objects.size())
                .mapToObj(i -> errors.getOrDefault(i + 2, List.of()).stream()
                        .map(error -> Manifests.titleOf(objects.get(i)) + ": " + error)
                        .collect(Collectors.joining("\n")))
                .toList();
    }

    private static Program.Result run(String... command) throws Exception {
        return Program.run(project, Map.of(), Duration.ofMinutes(5), List.of(command));
    }
}
