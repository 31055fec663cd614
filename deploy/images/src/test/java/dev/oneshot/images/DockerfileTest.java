package dev.oneshot.images;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks of the Dockerfiles without Docker. */
class DockerfileTest {

    private static final Pattern MAVEN_IMAGE = Pattern.compile("docker\\.io/library/maven:(\\S+)");
    private static final Pattern BASE_IMAGE = Pattern.compile("(?m)^(?:FROM |ARG \\w+_BASE=)(?!\\$)\\S+");
    private static final Pattern MAVEN_CALLED = Pattern.compile("(?m)(\\S*mvn) -B");

    /** The Maven of the builder image's distribution is older than the build allows. */
    @Test
    void nativeImageIsBuiltByTheMavenThatTheJvmImageIsBuiltBy() throws IOException {
        String jvm = Files.readString(Path.of("jvm.Dockerfile"));
        String built = Files.readString(Path.of("native.Dockerfile"));

        assertThat(firstOf(MAVEN_IMAGE, built)).isEqualTo(firstOf(MAVEN_IMAGE, jvm));
        assertThat(built).contains("COPY --from=maven /usr/share/maven /usr/share/maven\n");
        assertThat(MAVEN_CALLED.matcher(built).results().map((MatchResult call) -> call.group(1)))
                .containsExactly("/usr/share/maven/bin/mvn");
    }

    /** A tag may be moved to another image. */
    @Test
    void everyBaseImageIsNamedByItsDigest() throws IOException {
        for (String file : List.of("jvm.Dockerfile", "native.Dockerfile", "dev/Dockerfile")) {
            assertThat(BASE_IMAGE.matcher(Files.readString(Path.of(file))).results())
                    .as(file)
                    .hasSizeGreaterThan(1)
                    .allMatch(image -> image.group().matches(".*@sha256:[0-9a-f]{64}"));
        }
    }

    private static String firstOf(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .findFirst()
                .orElseThrow();
    }
}
