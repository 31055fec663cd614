package dev.oneshot.helm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The objects of one installation. */
public record Manifests(List<ObjectNode> objects) {

    /** The labels that select the pods of a service. */
    private static final List<String> SELECTING =
            List.of("app.kubernetes.io/name", "app.kubernetes.io/instance", "app.kubernetes.io/component");

    Stream<ObjectNode> ofKind(String kind) {
        return objects.stream().filter(object -> object.path("kind").asText().equals(kind));
    }

    ObjectNode only(String kind, String name) {
        return ofKind(kind)
                .filter(object -> nameOf(object).equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + kind + " " + name + " among "
                        + objects.stream().map(Manifests::titleOf).toList()));
    }

    /**
     * The objects with a title such as {@code Deployment post-oneshot-api}. A star is any name. A {@code Pod} is the
     * template of a Deployment or Job.
     */
    List<JsonNode> titled(String title) {
        Pattern pattern = Pattern.compile(title.replace("*", ".*"));
        Stream<JsonNode> pods = workloads().stream()
                .filter(workload -> pattern.matcher("Pod " + nameOf(workload)).matches())
                .map(workload -> workload.at("/spec/template"));
        return Stream.concat(
                        objects.stream()
                                .filter(object ->
                                        pattern.matcher(titleOf(object)).matches()),
                        pods)
                .toList();
    }

    /** All Deployments and Jobs. */
    List<ObjectNode> workloads() {
        return Stream.concat(ofKind("Deployment"), ofKind("Job")).toList();
    }

    /** The Deployment or Job of a component. */
    public ObjectNode workload(String component) {
        return workloads().stream()
                .filter(candidate -> componentOf(candidate).equals(component))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no workload of " + component));
    }

    /** The Deployments and Jobs whose pods a label selector selects. */
    List<ObjectNode> selectedBy(JsonNode matchLabels) {
        return workloads().stream()
                .filter(workload -> matchLabels.properties().stream()
                        .allMatch(label -> label.getValue()
                                .equals(workload.at("/spec/template/metadata/labels")
                                        .path(label.getKey()))))
                .toList();
    }

    /** The environment of a workload's process; a value from a Secret is {@code secret:name/key}. */
    public Map<String, String> environmentOf(JsonNode workload) {
        Map<String, String> environment = new LinkedHashMap<>();
        JsonNode container = containerOf(workload);
        for (JsonNode from : container.path("envFrom")) {
            if (!from.has("configMapRef")) {
                continue;
            }
            JsonNode data =
                    only("ConfigMap", from.at("/configMapRef/name").asText()).path("data");
            data.properties()
                    .forEach(entry ->
                            environment.put(entry.getKey(), entry.getValue().asText()));
        }
        for (JsonNode variable : container.path("env")) {
            JsonNode secret = variable.at("/valueFrom/secretKeyRef");
            environment.put(
                    variable.path("name").asText(),
                    secret.isMissingNode()
                            ? variable.path("value").asText()
                            : "secret:" + secret.path("name").asText() + "/"
                                    + secret.path("key").asText());
        }
        return environment;
    }

    /**
     * The texts at a path of an object, without those that are missing.
     *
     * @param path a JSON Pointer, in which a star stands for each element
     */
    static List<String> texts(JsonNode node, String path) {
        return at(node, path)
                .map(found -> found.isValueNode() ? found.asText() : found.toString())
                .toList();
    }

    private static Stream<JsonNode> at(JsonNode node, String path) {
        int star = path.indexOf("/*");
        return star < 0
                ? Stream.of(node.at(path)).filter(found -> !found.isMissingNode())
                : each(node.at(path.substring(0, star))).flatMap(element -> at(element, path.substring(star + 2)));
    }

    static JsonNode containerOf(JsonNode workload) {
        return workload.at("/spec/template/spec/containers/0");
    }

    static boolean selectsOneService(JsonNode matchLabels) {
        return SELECTING.stream().allMatch(matchLabels::has);
    }

    static String componentOf(JsonNode workload) {
        return workload.at("/spec/template/metadata/labels/app.kubernetes.io~1component")
                .asText();
    }

    static String nameOf(JsonNode object) {
        return object.at("/metadata/name").asText();
    }

    static String titleOf(JsonNode object) {
        return object.path("kind").asText() + " " + nameOf(object);
    }

    static Stream<JsonNode> each(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }
}
