package dev.oneshot.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class SettingsCheckTest {

    private static final Path PROPERTIES = Path.of("src", "main", "resources", "application.properties");
    private static final Pattern REFERENCE = Pattern.compile("\\{(oneshot\\.[a-z.-]+)");

    @Test
    void whatApplicationPropertiesReferToIsKnown() throws IOException {
        String text = Files.readString(PROPERTIES);
        Properties defaults = new Properties();
        try (var reader = Files.newBufferedReader(PROPERTIES)) {
            defaults.load(reader);
        }
        Set<String> used = new TreeSet<>(defaults.stringPropertyNames());
        used.removeIf(name -> !name.startsWith("oneshot.") || name.startsWith("oneshot.plans."));
        REFERENCE
                .matcher(text)
                .results()
                .map((MatchResult found) -> found.group(1))
                // The others are mapped: TracingConfig.
                .filter(name -> !name.startsWith("oneshot.tracing."))
                .forEach(used::add);

        assertThat(SettingsCheck.UNMAPPED).containsExactlyInAnyOrderElementsOf(used);
    }
}
