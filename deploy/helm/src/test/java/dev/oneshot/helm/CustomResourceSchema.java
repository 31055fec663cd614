package dev.oneshot.helm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The structural schema of a custom resource, from {@code src/test/resources/crd}. Other fields are unknown. */
final class CustomResourceSchema {

    private static final Path DIRECTORY = Path.of("src/test/resources/crd");

    private final JsonNode definition;

    private CustomResourceSchema(JsonNode definition) {
        this.definition = definition;
    }

    static CustomResourceSchema ofKind(String kind) {
        return new CustomResourceSchema(Yaml.read(DIRECTORY.resolve(kind + ".yaml")));
    }

    /** The object's errors; empty if it is valid. */
    List<String> errors(ObjectNode object) {
        List<String> complaints = new ArrayList<>();
        if (!isOneOf(object.path("apiVersion"), definition.path("apiVersions"))) {
            complaints.add("apiVersion is " + object.path("apiVersion").asText());
        }
        check(object.path("spec"), definition.path("spec"), "spec", complaints);
        Set<String> others = new HashSet<>();
        object.fieldNames().forEachRemaining(others::add);
        others.removeAll(Set.of("apiVersion", "kind", "metadata", "spec"));
        others.forEach(other -> complaints.add(other + " is unknown"));
        return complaints;
    }

    private static void check(JsonNode value, JsonNode schema, String path, List<String> complaints) {
        String expected = schema.path("type").asText();
        if (!expected.equals(typeOf(value)) && !(expected.equals("number") && value.isNumber())) {
            complaints.add(path + " is of type " + typeOf(value) + ", not " + expected);
            return;
        }
        switch (value) {
            case ObjectNode object -> checkObject(object, schema, path, complaints);
            case JsonNode array
            when array.isArray() -> {
                for (int i = 0; i < array.size(); i++) {
                    check(array.get(i), schema.path("items"), path + "[" + i + "]", complaints);
                }
            }
            default -> checkScalar(value, schema, path, complaints);
        }
    }

    private static void checkObject(ObjectNode object, JsonNode schema, String path, List<String> complaints) {
        for (JsonNode required : schema.path("required")) {
            if (!object.has(required.asText())) {
                complaints.add(path + "." + required.asText() + " is missing");
            }
        }
        if (schema.path("x-kubernetes-preserve-unknown-fields").asBoolean()) {
            return;
        }
        object.properties().forEach(field -> {
            JsonNode known = schema.path("properties").path(field.getKey());
            if (known.isMissingNode()) {
                known = schema.path("additionalProperties");
            }
            if (known.isMissingNode()) {
                complaints.add(path + "." + field.getKey() + " is unknown");
            } else {
                check(field.getValue(), known, path + "." + field.getKey(), complaints);
            }
        });
    }

    private static void checkScalar(JsonNode value, JsonNode schema, String path, List<String> complaints) {
        if (schema.has("enum") && !isOneOf(value, schema.path("enum"))) {
            complaints.add(path + " is " + value + ", none of " + schema.path("enum"));
        }
        if (schema.has("minimum") && value.asLong() < schema.path("minimum").asLong()) {
            complaints.add(path + " is " + value + ", below " + schema.path("minimum"));
        }
    }

    private static boolean isOneOf(JsonNode value, JsonNode allowed) {
        return Manifests.each(allowed).anyMatch(value::equals);
    }

    private static @Nullable String typeOf(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> "object";
            case ARRAY -> "array";
            case STRING -> "string";
            case BOOLEAN -> "boolean";
            case NUMBER -> value.isIntegralNumber() ? "integer" : "number";
            default -> null;
        };
    }
}
