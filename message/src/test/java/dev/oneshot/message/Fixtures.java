package dev.oneshot.message;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The messages of {@code fixtures/}. */
final class Fixtures {

    static final Path FOLDER = Path.of("src/test/resources/dev/oneshot/message/fixtures");

    private Fixtures() {}

    /** Their names without extension, sorted. */
    static List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".eml"))
                    .map(name -> name.substring(0, name.length() - ".eml".length()))
                    .sorted()
                    .toList();
        }
    }

    static byte[] octets(String name) throws IOException {
        return Files.readAllBytes(FOLDER.resolve(name + ".eml"));
    }

    /** A JSON file next to the folder of messages. */
    static <T> T json(String name, Class<T> type) {
        try {
            return new ObjectMapper().readValue(FOLDER.resolveSibling(name).toFile(), type);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
