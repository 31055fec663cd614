package dev.oneshot.local.stack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.local.backends.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ServiceEnvironmentTest {

    private static final Path PROJECT = Path.of("../../..");
    private static final Pattern PREFIX = Pattern.compile("@ConfigMapping\\(prefix = \"oneshot\\.([a-z.-]+)\"\\)");
    private static final Pattern PROPERTY = Pattern.compile("(?:^|[{ ])oneshot\\.([a-z.-]+)[=:}]", Pattern.MULTILINE);
    private static final List<String> OTHER_SETTINGS = List.of(
            "ONESHOT_OPERATOR_TOKEN",
            "ONESHOT_RELAY_PASSWORD",
            "ONESHOT_DKIM_PRIVATE_KEY_FILE",
            "ONESHOT_RECEIVE_DOMAIN",
            "ONESHOT_EXPIRY_PERIOD");

    @TempDir
    Path project;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    API    | OPERATOR_TOKEN ADDRESS_KEYS API_KEY_SECRETS DATABASE_URL DATABASE_USERNAME DATABASE_PASSWORD RECEIVE_DOMAIN HTTP_PORT MANAGEMENT_PORT
                    INGEST | ADDRESS_KEYS RECEIVE_DOMAIN SMTP_PORT SMTP_MESSAGES_PER_CLIENT_MAX SMTP_UNKNOWN_RECIPIENTS_PER_CLIENT_MAX MANAGEMENT_PORT
                    MAILER | RELAY_HOST RELAY_PORT RELAY_TLS RELAY_PASSWORD DKIM_PRIVATE_KEY_FILE MANAGEMENT_PORT
                    EXPIRY | DATABASE_URL DATABASE_USERNAME DATABASE_PASSWORD EXPIRY_PERIOD MANAGEMENT_PORT
                    """)
    void eachServiceGetsTheSettingsThatItReads(Service service, String names) throws IOException {
        Map<String, String> environment = new HashMap<>();
        OTHER_SETTINGS.forEach(name -> environment.put(name, "chosen"));

        Map<String, String> variables = environment(service, environment);

        assertThat(variables.keySet().stream().filter(name -> name.startsWith("ONESHOT_")))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(names.split(" ", -1))
                        .map(name -> "ONESHOT_" + name)
                        .toList());
    }

    @Test
    void onlyIngestGetsTheSelfSignedCertificate() throws IOException {
        Map<String, String> wanted = Map.of("ONESHOT_SMTP_TLS", "self-signed");
        Files.createDirectories(project.resolve(".oneshot"));

        assertThat(environment(Service.INGEST, wanted))
                .containsEntry("ONESHOT_SMTP_TLS_CONFIGURATION_NAME", "smtp")
                .doesNotContainKey("ONESHOT_SMTP_TLS");
        assertThat(environment(Service.API, wanted).keySet()).noneMatch(name -> name.contains("TLS"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    jdbc:postgresql://127.0.0.1:15432/oneshot
                    a+b/c==
                    two words
                    it's $HOME `` "x" \\
                    """)
    void aShellReadsWhatTheLinesOfAServiceSay(String value) throws Exception {
        Path file = Files.writeString(
                project.resolve("service.env"), ServiceEnvironment.lines(Map.of("CHOSEN", value, "OTHER", "x")));

        assertThat(Program.run(List.of("sh", "-c", ". \"$0\"; printf %s \"$CHOSEN$OTHER\"", file.toString())))
                .isEqualTo(value + "x");
    }

    /** A setting with another first word must be added here too. */
    @ParameterizedTest
    @EnumSource
    void settingsOfAServiceReachIt(Service service) throws IOException {
        Set<String> names = new TreeSet<>();
        Path source = PROJECT.resolve(service.module()).resolve("src/main");
        try (Stream<Path> files = Files.walk(source)) {
            for (Path file : files.filter(
                            file -> file.toString().matches(".*Config\\.java|.*/application\\.properties"))
                    .toList()) {
                boolean java = file.toString().endsWith(".java");
                (java ? PREFIX : PROPERTY)
                        .matcher(Files.readString(file))
                        .results()
                        .forEach(found -> names.add(found.group(1) + (java ? "." : "")));
            }
        }
        assertThat(names)
                .hasSizeGreaterThan(3)
                .allMatch(name -> service.reads("ONESHOT_"
                        + name.toUpperCase(java.util.Locale.ROOT).replaceAll("[^A-Z0-9]", "_")
                        + (name.endsWith(".") ? "KEYS" : "")));
    }

    private Map<String, String> environment(Service service, Map<String, String> environment) throws IOException {
        StackSettings settings = StackSettings.ofEnvironment(project, environment);
        return new ServiceEnvironment(settings, Secrets.of(project, Map.of())).of(service);
    }
}
