package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The root pom.xml has the version of a release; all else that is released has the same. docs/releasing.md. */
class VersionTest {

    private static final Path PROJECT = Path.of("../..");
    private static final Pattern VERSION =
            Pattern.compile("<artifactId>oneshot-parent</artifactId>\\s*<version>(.*?)(?:-SNAPSHOT)?</version>");
    private static final Pattern JIB_TAG =
            Pattern.compile("<quarkus.container-image.tag>(.*)</quarkus.container-image.tag>");
    private static final Pattern LABEL = Pattern.compile("(?m)^ARG VERSION=(.*)$");
    private static final Pattern HOME = Pattern.compile("<oneshot.home>(.*)</oneshot.home>");
    private static final Pattern PYTHON_VERSION = Pattern.compile("(?m)^version = \"(.*)\"$");

    @Test
    void chartAndImagesHaveTheVersionOfThePom() throws IOException {
        String pom = Files.readString(PROJECT.resolve("pom.xml"));
        String version = only(VERSION, pom);

        assertThat(Yaml.read(Chart.DIRECTORY.resolve("Chart.yaml"))
                        .path("version")
                        .asText())
                .isEqualTo(version);
        assertThat(Yaml.read(Chart.DIRECTORY.resolve("Chart.yaml"))
                        .path("appVersion")
                        .asText())
                .isEqualTo(version);
        assertThat(only(JIB_TAG, pom)).isEqualTo(version);
        assertThat(Stream.of("jvm.Dockerfile", "native.Dockerfile", "dev/Dockerfile"))
                .allSatisfy(file -> assertThat(only(LABEL, Files.readString(PROJECT.resolve("deploy/images/" + file))))
                        .isEqualTo(version));
    }

    @Test
    void chartNamesTheHomeOfThePom() throws IOException {
        assertThat(Yaml.read(Chart.DIRECTORY.resolve("Chart.yaml")).path("home").asText())
                .isEqualTo(only(HOME, Files.readString(PROJECT.resolve("pom.xml"))));
    }

    @Test
    void packagesOfNpmAndPythonAndTheChangelogHaveTheVersionOfThePom() throws IOException {
        String version = only(VERSION, Files.readString(PROJECT.resolve("pom.xml")));

        assertThat(new ObjectMapper()
                        .readTree(Files.readString(PROJECT.resolve("clients/typescript/package.json")))
                        .path("version")
                        .asText())
                .isEqualTo(version);
        assertThat(only(PYTHON_VERSION, Files.readString(PROJECT.resolve("clients/python/pyproject.toml"))))
                .isEqualTo(version);
        assertThat(Files.readString(PROJECT.resolve("CHANGELOG.md"))).contains("\n## [" + version + "]");
    }

    private static String only(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertThat(matcher.find()).as(pattern.pattern()).isTrue();
        return matcher.group(1);
    }
}
