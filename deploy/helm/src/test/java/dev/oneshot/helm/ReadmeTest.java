package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ReadmeTest {

    private static final Path README = Chart.DIRECTORY.resolve("README.md");
    private static final Pattern CONFIG = Pattern.compile("--config ([a-z.]+)=(\\S+)");
    private static final Path VALUES = Chart.DIRECTORY.resolve("values.yaml");

    /** These commands are the only way to create topics on the user's own Kafka. */
    @Test
    void commandsMakeTheTopicsOfTheContracts() throws IOException {
        // Given
        String readme = Files.readString(README);
        Matcher function = Pattern.compile("(?s)create\\(\\) \\{(.*?)\n}").matcher(readme);
        assertThat(function.find()).isTrue();
        Map<String, String> common = configuration(function.group(1));

        // When
        Map<String, Map<String, String>> made = new TreeMap<>();
        Pattern.compile("(?m)^create ([a-z.]+) (.*)$").matcher(readme).results().forEach(command -> {
            Map<String, String> configuration = configuration(command.group(2));
            configuration.putAll(common);
            made.put(command.group(1), configuration);
        });

        // Then
        assertThat(made).isEqualTo(KafkaResourceTest.topicConfigurations());
        assertThat(function.group(1)).contains("--replication-factor 3");
    }

    private static Map<String, String> configuration(String options) {
        Map<String, String> configuration = new TreeMap<>();
        CONFIG.matcher(options).results().forEach(option -> configuration.put(option.group(1), option.group(2)));
        return configuration;
    }

    @Test
    void everyValueIsDocumented() {
        assertThat(ValueComments.undocumented(VALUES)).isEmpty();
    }
}
