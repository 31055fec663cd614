package dev.oneshot.helm;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** YAML as trees. */
final class Yaml {

    /** Rejects fields that the target class does not have. */
    static final YAMLMapper MAPPER = YAMLMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private Yaml() {}

    static ObjectNode read(Path file) {
        try {
            return (ObjectNode) MAPPER.readTree(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static ObjectNode parse(String yaml) {
        try {
            return (ObjectNode) MAPPER.readTree(yaml);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void write(Path file, JsonNode tree) {
        try {
            Files.writeString(file, MAPPER.writeValueAsString(tree));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Merges {@code over} into {@code tree} as Helm merges values: objects are merged, other values replaced. */
    static void merge(ObjectNode tree, ObjectNode over) {
        over.properties().forEach(field -> {
            JsonNode below = tree.get(field.getKey());
            if (below instanceof ObjectNode belowObject && field.getValue() instanceof ObjectNode overObject) {
                merge(belowObject, overObject);
            } else {
                tree.set(field.getKey(), field.getValue());
            }
        });
    }
}
