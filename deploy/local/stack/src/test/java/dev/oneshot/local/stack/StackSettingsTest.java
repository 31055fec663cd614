package dev.oneshot.local.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.local.stack.StackSettings.Option;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class StackSettingsTest {

    @TempDir
    Path project;

    @Test
    void withoutAnySettingThePortsAreTheDocumentedOnes() {
        StackSettings settings = StackSettings.ofEnvironment(project, Map.of());

        assertThat(Arrays.stream(Port.values()).map(settings::port))
                .containsExactly(8080, 2525, 9000, 9001, 9002, 9003, 9092, 15_432);
        assertThat(settings.state()).isEqualTo(project.resolve(".oneshot"));
    }

    @Test
    void portsAndHeapAreChosenByTheEnvironment() {
        StackSettings settings = StackSettings.ofEnvironment(
                project, Map.of("ONESHOT_HTTP_PORT", "1", "ONESHOT_SMTP_PORT", "65535", "ONESHOT_LOCAL_HEAP", "1g"));

        assertThat(settings.port(Port.HTTP)).isEqualTo(1);
        assertThat(settings.port(Port.SMTP)).isEqualTo(65_535);
        assertThat(Arrays.stream(Service.values()).map(settings::heap)).containsOnly("1g");
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/refused-settings.txt", delimiter = '|', quoteCharacter = '\'')
    void invalidSettingStopsTheStartAndIsNamed(String name, String value, String message) {
        assertThatThrownBy(() -> StackSettings.ofEnvironment(project, Map.of(name, value)))
                .isInstanceOf(StackException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void selfSignedIsTheOnlyValueOfTls() {
        assertThat(StackSettings.ofEnvironment(project, Map.of("ONESHOT_SMTP_TLS", "self-signed"))
                        .options())
                .contains(Option.SELF_SIGNED);
        assertThat(StackSettings.ofEnvironment(project, Map.of("ONESHOT_SMTP_TLS", ""))
                        .options())
                .doesNotContain(Option.SELF_SIGNED);
    }

    @Test
    void dataIsKeptUnlessItIsTemporary() throws IOException {
        assertThat(StackSettings.ofEnvironment(project, Map.of()).options()).contains(Option.DURABLE);
        assertThat(StackSettings.ofEnvironment(project, Map.of("ONESHOT_LOCAL_DATA", "kept"))
                        .options())
                .contains(Option.DURABLE);
        assertThat(StackSettings.ofEnvironment(project, Map.of("ONESHOT_LOCAL_DATA", "temporary"))
                        .options())
                .containsExactly(Option.QUICK_COMPILER);

        Secrets.of(project, Map.of());
        Files.createDirectories(project.resolve("kafka/data"));
        LocalStack.deleteData(project);

        assertThat(project.resolve("kafka")).doesNotExist();
        assertThat(project.resolve("address-key")).exists();
    }

    @Test
    void aChosenKeyAndOtherHostsAreAccepted() {
        StackSettings settings = StackSettings.ofEnvironment(
                project, Map.of("ONESHOT_LOCAL_API_KEY", "oneshot_" + "a".repeat(56), "ONESHOT_HTTP_HOST", "0.0.0.0"));

        assertThat(settings.services()).containsOnlyKeys("ONESHOT_HTTP_HOST");
        assertThat(Welcome.text(settings, Set.of()))
                .startsWith("\noneshot is ready.\n")
                .doesNotContain("Try it");
        assertThat(Welcome.text(StackSettings.ofEnvironment(project, Map.of()), Set.of()))
                .contains("on 127.0.0.1 only", "Try it");
    }

    @Test
    void settingsOfClientsAreLeftToThem() {
        StackSettings settings = StackSettings.ofEnvironment(
                project, Map.of("ONESHOT_BASE_URL", "http://127.0.0.1:8080/v1", "ONESHOT_API_KEY", "key"));

        assertThat(settings.services()).isEmpty();
    }

    @Test
    void aTakenPortIsOneLineWithPortPurposeAndSetting() throws IOException {
        StackSettings free = StackSettings.onFreePorts(project, project);
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            Map<Port, Integer> ports = new HashMap<>(free.ports());
            ports.put(Port.SMTP, taken.getLocalPort());
            StackSettings settings = new StackSettings(project, project, ports, "512m", Map.of(), Set.of());

            PortCheck.requireFree(free);
            assertThatThrownBy(() -> PortCheck.requireFree(settings))
                    .isInstanceOf(StackException.class)
                    .hasMessageContaining("port " + taken.getLocalPort() + " (SMTP) is taken")
                    .hasMessageContaining("ONESHOT_SMTP_PORT")
                    .hasMessageNotContaining("\n");
        }
    }

    @Test
    void aPortThatIsTakenOnlyWhenItsPartBindsItIsTheSameLine() throws IOException {
        StackSettings settings = StackSettings.onFreePorts(project, project.resolve("state"));
        int port = settings.port(Port.KAFKA);
        try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            assertThat(taken.isBound()).isTrue();
            assertThatThrownBy(() -> LocalStack.start(settings, _ -> {}))
                    .isInstanceOf(StackException.class)
                    .hasMessageContaining("port " + port + " (Kafka) is taken")
                    .hasMessageContaining("choose another with ONESHOT_LOCAL_KAFKA_PORT")
                    .hasMessageNotContaining("\n");
        }
    }

    @Test
    void aSecretThatCameLaterIsAddedToThoseThatAreKept() throws IOException {
        Secrets made = Secrets.of(project, Map.of());
        Files.delete(project.resolve("expiry-database-password"));

        Secrets later = Secrets.of(project, Map.of());

        assertThat(later.databasePassword()).isEqualTo(made.databasePassword());
        assertThat(later.expiryPassword()).isNotEmpty().isNotEqualTo(made.expiryPassword());
    }

    @Test
    void secretsAreMadeOnceAndOnlyTheirOwnerReadsThem() throws IOException {
        Secrets made = Secrets.of(project, Map.of());

        assertThat(Secrets.of(project, Map.of())).isEqualTo(made);
        assertThat(Secrets.of(project, Map.of("ONESHOT_OPERATOR_TOKEN", "chosen"))
                        .operatorToken())
                .isEqualTo("chosen");
        assertThat(Secrets.of(project, Map.of("ONESHOT_API_KEY_SECRETS", "chosen"))
                        .apiKeySecret())
                .isEqualTo("chosen");
        assertThat(made.toString()).isEqualTo("Secrets[…]");
        for (String file : List.of(
                "address-key", "api-key-secret", "operator-token", "database-password", "expiry-database-password")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(project.resolve(file))))
                    .isEqualTo("rw-------");
        }
    }
}
