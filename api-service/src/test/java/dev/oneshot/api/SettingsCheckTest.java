package dev.oneshot.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
    void misspeltVariableStopsTheStartAndIsNamed() {
        assertThatThrownBy(() -> new SettingsCheck(new SmallRyeConfigBuilder()
                        .withSources(new EnvConfigSource(Map.of("ONESHOT_RATE_LIMIT_LEASETIME", "1"), 300))
                        .build()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("ONESHOT_RATE_LIMIT_LEASETIME is no setting of this service");
    }

    @Test
    void formerNameStopsTheStartAndTheNewOneIsNamed() {
        assertThatThrownBy(() -> new SettingsCheck(new SmallRyeConfigBuilder()
                        .withSources(new EnvConfigSource(Map.of("ONESHOT_INBOX_CONSUMERS", "1"), 300))
                        .build()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("ONESHOT_INBOX_CONSUMERS is now MP_MESSAGING_INCOMING_MAIL_INBOUND_CONCURRENCY");
    }

    @Test
    void settingsOfAllFeaturesAreChecked() {
        List<String> mappings = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.oneshot.api").stream()
                        .filter(type -> type.isAnnotatedWith(ConfigMapping.class))
                        .map(JavaClass::getName)
                        .toList();

        assertThat(SettingsCheck.MAPPINGS).extracting(Class::getName).containsExactlyInAnyOrderElementsOf(mappings);
    }

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
                .forEach(used::add);

        assertThat(SettingsCheck.UNMAPPED).containsExactlyInAnyOrderElementsOf(used);
    }
}
