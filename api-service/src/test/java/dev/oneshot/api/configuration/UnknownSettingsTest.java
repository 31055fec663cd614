package dev.oneshot.api.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
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
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnknownSettingsTest {

    private static final Path PROPERTIES = Path.of("src", "main", "resources", "application.properties");
    private static final Pattern REFERENCE = Pattern.compile("\\{(oneshot\\.[a-z.-]+)");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "oneshot.http.prot",
                "oneshot.http.port.x",
                "oneshot.plans.free.burts",
                "oneshot.plans.free",
                "oneshot.rate-limit.leasetime",
                "oneshot.address.key",
                "oneshot.api-key.secret",
                "oneshot.address.keys[x]",
                "oneshot.database.user"
            })
    void misspeltPropertyStopsTheStartAndIsNamed(String name) {
        assertThatThrownBy(() -> new UnknownSettings(properties(name)))
                .hasMessageContaining(name + " is no setting of this service (from ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ONESHOT_HTTP_PROT",
                "ONESHOT_PLANS_FREE_BURTS",
                "ONESHOT_RATE_LIMIT_LEASETIME",
                "ONESHOT_ADDRESS_KEYS_X",
                "ONESHOT_DATABASE_USER",
                "ONESHOT_KAFKA_BOOTSTRAP"
            })
    void misspeltVariableStopsTheStartAndIsNamed(String name) {
        assertThatThrownBy(() -> new UnknownSettings(environment(name)))
                .hasMessageContaining(name + " is no setting of this service (from ");
    }

    @ParameterizedTest
    @CsvSource({
        "oneshot.http.port, ONESHOT_HTTP_PORT",
        "oneshot.http.body-max, ONESHOT_HTTP_BODY_MAX",
        "oneshot.plans.free.burst, ONESHOT_PLANS_FREE_BURST",
        "oneshot.plans.\"very-large\".addresses-per-month, ONESHOT_PLANS__VERY_LARGE__ADDRESSES_PER_MONTH",
        "oneshot.address.keys, ONESHOT_ADDRESS_KEYS",
        "oneshot.address.keys[1], ONESHOT_ADDRESS_KEYS_1_",
        "oneshot.kafka.client.\"security.protocol\", ONESHOT_KAFKA_CLIENT__SECURITY_PROTOCOL_",
        "oneshot.database.url, ONESHOT_DATABASE_URL",
        "oneshot.receive-domain, ONESHOT_RECEIVE_DOMAIN",
        "oneshot.account.removals-every, ONESHOT_ACCOUNT_REMOVALS_EVERY"
    })
    void settingsAreKnownByBothOfTheirNames(String property, String variable) {
        assertThatCode(() -> new UnknownSettings(properties(property))).doesNotThrowAnyException();
        assertThatCode(() -> new UnknownSettings(environment(variable))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ONESHOT_LOCAL_KAFKA_PORT",
                "ONESHOT_LOCAL_HEAP",
                "ONESHOT_RELAY_PASSWORD",
                "ONESHOT_SMTP_PROT",
                "ONESHOT_KAFKA_SERVICE_HOST",
                "ONESHOT_DATABASE_RW_SERVICE_PORT_POSTGRES",
                "ONESHOT_DATABASE_RW_PORT_5432_TCP_ADDR",
                "ONESHOT_HTTP_PORT_8080_TCP"
            })
    void whatBelongsToOthersIsLeftAlone(String variable) {
        assertThatCode(() -> new UnknownSettings(environment(variable))).doesNotThrowAnyException();
    }

    @Test
    void allFeaturesAreAsked() {
        List<String> mappings = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.oneshot.api").stream()
                        .filter(type -> type.isAnnotatedWith(ConfigMapping.class))
                        .map(JavaClass::getName)
                        .toList();

        assertThat(SettingNames.MAPPINGS).extracting(Class::getName).containsExactlyInAnyOrderElementsOf(mappings);
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

        assertThat(SettingNames.UNMAPPED).containsExactlyInAnyOrderElementsOf(used);
    }

    private static Config properties(String name) {
        return config(new PropertiesConfigSource(Map.of(name, "1"), "a file", 250));
    }

    private static Config environment(String name) {
        return config(new EnvConfigSource(Map.of(name, "1"), 300));
    }

    private static Config config(ConfigSource source) {
        return new SmallRyeConfigBuilder().withSources(source).build();
    }
}
