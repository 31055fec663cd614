package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The certificate for STARTTLS is mounted where the service reads it. StartTlsIT tests the service with it. */
class StartTlsTest {

    @ParameterizedTest
    @ValueSource(strings = {"operators", "own-servers"})
    void serviceLooksForTheCertificateWhereTheSecretIsMounted(String set) {
        Manifests manifests = Chart.install(Chart.valueSet(set));
        ObjectNode ingest = manifests.only("Deployment", "post-oneshot-ingest");
        Map<String, String> environment = manifests.environmentOf(ingest);
        JsonNode mount = Manifests.each(Manifests.containerOf(ingest).path("volumeMounts"))
                .filter(candidate -> candidate.path("name").asText().equals("smtp-tls"))
                .findAny()
                .orElseThrow();

        assertThat(environment)
                .containsEntry("ONESHOT_SMTP_TLS_CONFIGURATION_NAME", "smtp")
                .containsEntry("QUARKUS_TLS__SMTP__RELOAD_PERIOD", "1h");
        assertThat(Path.of(environment.getOrDefault("QUARKUS_TLS__SMTP__KEY_STORE_PEM__0__CERT", "")))
                .isEqualTo(Path.of(mount.path("mountPath").asText(), "tls.crt"));
        assertThat(Path.of(environment.getOrDefault("QUARKUS_TLS__SMTP__KEY_STORE_PEM__0__KEY", "")))
                .isEqualTo(Path.of(mount.path("mountPath").asText(), "tls.key"));
        // Kubernetes never renews a file mounted with subPath.
        assertThat(mount.has("subPath")).isFalse();
    }
}
