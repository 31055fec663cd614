package dev.oneshot.helm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.List;
import java.util.Set;

/** The structural schemas in the CustomResourceDefinitions of operators. Other fields are unknown. */
final class CustomResourceSchema {

    private static final SchemaRegistry REGISTRY =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    private static final Set<String> COMBINED = Set.of("allOf", "anyOf", "oneOf", "not");

    private CustomResourceSchema() {}

    /** The object's errors by the CustomResourceDefinition of its kind; empty if it is valid, or if none is of its kind. */
    static List<String> errors(ObjectNode object, List<ObjectNode> definitions) {
        for (ObjectNode definition : definitions) {
            String group = definition.at("/spec/group").asText();
            for (JsonNode version : definition.at("/spec/versions")) {
                if (definition.at("/spec/names/kind").equals(object.path("kind"))
                        && object.path("apiVersion")
                                .asText()
                                .equals(group + "/" + version.path("name").asText())) {
                    return errors(object, version.at("/schema/openAPIV3Schema").<ObjectNode>deepCopy());
                }
            }
        }
        return List.of();
    }

    private static List<String> errors(ObjectNode object, ObjectNode schema) {
        rejectUnknownFields(schema);
        return REGISTRY.getSchema(schema).validate(object).stream()
                .map(Error::toString)
                .toList();
    }

    /** A structural schema has no fields of its own in {@code anyOf} and the like. */
    private static void rejectUnknownFields(JsonNode schema) {
        schema.properties().stream()
                .filter(keyword -> !COMBINED.contains(keyword.getKey()))
                .forEach(keyword -> rejectUnknownFields(keyword.getValue()));
        if (schema instanceof ObjectNode type
                && type.path("properties").isObject()
                && !type.path("x-kubernetes-preserve-unknown-fields").asBoolean()) {
            type.put("additionalProperties", false);
        }
    }
}
