package dev.oneshot.helm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.nio.file.Path;
import java.util.List;

/** The structural schema of a custom resource, from {@code src/test/resources/crd}. Other fields are unknown. */
final class CustomResourceSchema {

    private static final Path DIRECTORY = Path.of("src/test/resources/crd");
    private static final SchemaRegistry REGISTRY =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    private CustomResourceSchema() {}

    /** The object's errors; empty if it is valid. */
    static List<String> errors(ObjectNode object) {
        ObjectNode schema = Yaml.read(DIRECTORY.resolve(object.path("kind").asText() + ".yaml"));
        rejectUnknownFields(schema);
        return REGISTRY.getSchema(schema).validate(object).stream()
                .map(Error::toString)
                .toList();
    }

    private static void rejectUnknownFields(JsonNode schema) {
        schema.forEach(CustomResourceSchema::rejectUnknownFields);
        if (schema instanceof ObjectNode type && type.path("properties").isObject()) {
            type.put("additionalProperties", false);
        }
    }
}
