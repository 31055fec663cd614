package dev.oneshot.nativecheck;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The input that Quarkus generates for native-image.
 *
 * @param arguments the command line
 * @param metadata every file of reachability metadata in the service's jar and in the project's libraries
 */
record NativeSources(List<String> arguments, List<JsonNode> metadata) {

    private static final ObjectMapper JSON = new ObjectMapper();

    static NativeSources of(String service) throws IOException {
        Path directory = Path.of("../..", service, "target/native-sources");
        List<String> arguments = List.of(
                Files.readString(directory.resolve("native-image.args")).strip().split("\\s+"));
        List<JsonNode> metadata = new ArrayList<>();
        for (Path jar : jars(directory)) {
            metadata.addAll(metadata(jar));
        }
        return new NativeSources(arguments, metadata);
    }

    /** Names of the types whose constructors, methods and fields are all registered for reflection. */
    Set<String> registered() {
        Set<String> registered = new TreeSet<>();
        for (JsonNode file : metadata) {
            // Quarkus writes the first form, the project's own files have the second.
            for (JsonNode type : file.isArray() ? file : file.path("reflection")) {
                if (type.path("allDeclaredConstructors").asBoolean()
                        && type.path("allDeclaredMethods").asBoolean()
                        && type.path("allDeclaredFields").asBoolean()) {
                    registered.add(
                            type.has("type")
                                    ? type.get("type").asText()
                                    : type.path("name").asText());
                }
            }
        }
        return registered;
    }

    /** Patterns of the service's resources that the binary includes. */
    Set<String> resourcePatterns() {
        Set<String> patterns = new TreeSet<>();
        for (JsonNode file : metadata) {
            file.path("resources")
                    .path("includes")
                    .forEach(include -> patterns.add(include.path("pattern").asText()));
        }
        return patterns;
    }

    /**
     * Globs of resources of a module that the binary includes.
     *
     * @param module empty for the class path
     */
    Set<String> resourceGlobs(String module) {
        Set<String> globs = new TreeSet<>();
        for (JsonNode file : metadata) {
            for (JsonNode resource : file.path("resources")) {
                if (resource.path("module").asText().equals(module)) {
                    globs.add(resource.path("glob").asText());
                }
            }
        }
        return globs;
    }

    private static List<Path> jars(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> jars = files.filter(file -> {
                        String name = file.getFileName().toString();
                        return name.endsWith("-runner.jar") || name.startsWith("dev.oneshot.");
                    })
                    .sorted(Comparator.naturalOrder())
                    .toList();
            if (jars.size() < 2) {
                throw new AssertionError("the service or its libraries are missing in " + directory);
            }
            return jars;
        }
    }

    private static List<JsonNode> metadata(Path jar) throws IOException {
        List<JsonNode> metadata = new ArrayList<>();
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                if (entry.getName()
                        .matches("META-INF/native-image/.*(reflect-config|resource-config|metadata)\\.json")) {
                    metadata.add(read(zip, entry));
                }
            }
        }
        return metadata;
    }

    private static JsonNode read(ZipFile zip, ZipEntry entry) {
        try (InputStream content = zip.getInputStream(entry)) {
            return JSON.readTree(content);
        } catch (IOException e) {
            throw new UncheckedIOException(zip.getName() + "!/" + entry, e);
        }
    }
}
