package dev.oneshot.message;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The messages of {@code fixtures/}. */
final class Fixtures {

    private Fixtures() {}

    static Path folder() {
        try {
            return Path.of(Fixtures.class.getResource("fixtures").toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Their names without extension, sorted. */
    static List<String> names() {
        try (Stream<Path> files = Files.list(folder())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".eml"))
                    .map(name -> name.substring(0, name.length() - ".eml".length()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] octets(String name) {
        try {
            return Files.readAllBytes(folder().resolve(name + ".eml"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A JSON file next to the folder of messages. */
    static <T> T json(String name, Class<T> type) {
        try {
            return new ObjectMapper().readValue(folder().resolveSibling(name).toFile(), type);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<byte[]> all() {
        return names().stream().map(Fixtures::octets).toList();
    }
}
