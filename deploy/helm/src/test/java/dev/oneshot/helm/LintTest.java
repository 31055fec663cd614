package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.marcnuri.helm.LintResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LintTest {

    @ParameterizedTest
    @MethodSource("dev.oneshot.helm.Chart#valueSets")
    void chartHasNoComplaintOfLintWithAnyValueSet(Path values, @TempDir Path copy) throws IOException {
        // Given
        copyTo(copy);
        ObjectNode merged = Yaml.read(Chart.DIRECTORY.resolve("values.yaml"));
        Yaml.merge(merged, Yaml.read(values));
        Yaml.write(copy.resolve("values.yaml"), merged);

        // When
        LintResult result = Chart.helm(copy).lint().strict().call();

        // Then
        assertThat(result.getMessages()).isEmpty();
        assertThat(result.isFailed()).isFalse();
    }

    private static void copyTo(Path copy) throws IOException {
        try (Stream<Path> files = Files.walk(Chart.DIRECTORY)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path target = copy.resolve(Chart.DIRECTORY.relativize(file));
                Files.createDirectories(target.getParent());
                Files.copy(file, target);
            }
        }
    }
}
