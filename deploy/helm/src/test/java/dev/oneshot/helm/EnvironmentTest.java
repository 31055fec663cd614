package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The chart and the services use the same names. */
class EnvironmentTest {

    /** Variables that Quarkus and the JVM read. */
    private static final Set<String> FOREIGN = Set.of(
            "JDK_JAVA_OPTIONS",
            "QUARKUS_HTTP_PROXY_ALLOW_X_FORWARDED",
            "QUARKUS_HTTP_PROXY_PROXY_ADDRESS_FORWARDING",
            "QUARKUS_HTTP_PROXY_TRUSTED_PROXIES",
            "QUARKUS_LOG_LEVEL",
            "QUARKUS_LOG_CONSOLE_JSON_ENABLED",
            "QUARKUS_SHUTDOWN_TIMEOUT",
            "QUARKUS_TLS__SMTP__KEY_STORE_PEM__0__CERT",
            "QUARKUS_TLS__SMTP__KEY_STORE_PEM__0__KEY",
            "QUARKUS_TLS__SMTP__RELOAD_PERIOD");

    /** The prefix of Kafka's client properties, which Quarkus passes on. */
    private static final String KAFKA_CLIENT = "KAFKA_";

    @ParameterizedTest
    @MethodSource("valueSets")
    void everyVariableIsReadByItsService(Path values) {
        // When
        Manifests manifests = Chart.install(values);

        // Then
        for (ObjectNode workload : manifests.workloads()) {
            ServiceConfiguration service = ServiceConfiguration.of(module(workload));
            Set<String> unread = new TreeSet<>(manifests.environmentOf(workload).keySet());
            unread.removeIf(variable ->
                    FOREIGN.contains(variable) || variable.startsWith(KAFKA_CLIENT) || service.reads(variable));
            assertThat(unread)
                    .as("set for %s, but not read by it", Manifests.titleOf(workload))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("valueSets")
    void everySettingWithoutADefaultIsSet(Path values) {
        // When
        Manifests manifests = Chart.install(values);

        // Then
        for (ObjectNode workload : manifests.workloads()) {
            ServiceConfiguration service = ServiceConfiguration.of(module(workload));
            assertThat(manifests.environmentOf(workload).keySet())
                    .as("set for %s", Manifests.titleOf(workload))
                    .containsAll(service.required());
        }
    }

    @Test
    void sourcesAreUnderstood() {
        ServiceConfiguration ingest = ServiceConfiguration.of("smtp-ingest-service");
        assertThat(ingest.settings()).contains("ONESHOT_SMTP_PORT", "ONESHOT_ADDRESS_KEYS", "ONESHOT_MANAGEMENT_PORT");
        assertThat(ingest.required()).contains("ONESHOT_ADDRESS_KEYS").doesNotContain("ONESHOT_SMTP_PORT");
        assertThat(ServiceConfiguration.of("api-service").prefixes()).contains("ONESHOT_PLANS_");
        assertThat(ingest.reads("ONESHOT_SMTP_PROT")).isFalse();
    }

    private static String module(ObjectNode workload) {
        return Objects.requireNonNull(Container.MODULES.get(Manifests.componentOf(workload)));
    }

    static List<Path> valueSets() {
        return Chart.valueSets();
    }
}
