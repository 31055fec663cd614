package dev.oneshot.contracts.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MigrationScriptsTest {

    @Test
    void listIsTheFolderInOrderOfVersions() throws IOException {
        Path folder = Path.of("src/main/resources", MigrationScripts.FOLDER);
        try (Stream<Path> files = Files.list(folder)) {
            List<String> scripts = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".sql"))
                    .sorted(Comparator.comparingInt(MigrationScriptsTest::version))
                    .toList();

            assertThat(MigrationScripts.NAMES).isEqualTo(scripts);
        }
    }

    private static int version(String name) {
        return Integer.parseInt(name.substring(1, name.indexOf("__")));
    }
}
