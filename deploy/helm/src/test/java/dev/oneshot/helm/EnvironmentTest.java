package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** The chart and the services use the same names. */
class EnvironmentTest {

    /** Variables that Quarkus and the JVM read. */
    private static final Set<String> FOREIGN = Set.of(
            "JVM_OPTIONS",
            "QUARKUS_HTTP_PROXY_TRUSTED_PROXIES",
            "QUARKUS_LOG_LEVEL",
            "QUARKUS_LOG_CONSOLE_JSON_ENABLED",
            "QUARKUS_OTEL_EXPORTER_OTLP_TRACES_TLS_CONFIGURATION_NAME",
            "QUARKUS_SHUTDOWN_DELAY",
            "QUARKUS_SHUTDOWN_TIMEOUT",
            "QUARKUS_TLS__SMTP__KEY_STORE_PEM__0__CERT",
            "QUARKUS_TLS__SMTP__KEY_STORE_PEM__0__KEY",
            "QUARKUS_TLS__SMTP__RELOAD_PERIOD",
            "QUARKUS_TLS__TRACING__TRUST_STORE_PEM_CERTS");

    /** The prefix of Kafka's client properties, which Quarkus passes on. */
    private static final String KAFKA_CLIENT = "KAFKA_";

    @EveryValueSet
    void everyVariableIsReadByItsServiceAndEverySettingWithoutADefaultIsSet(Manifests manifests) {
        for (ObjectNode workload : manifests.workloads()) {
            ServiceConfiguration service = ServiceConfiguration.of(module(workload));
            assertThat(manifests.environmentOf(workload).keySet())
                    .as("set for %s", Manifests.titleOf(workload))
                    .containsAll(service.required());
            Set<String> unread = new TreeSet<>(manifests.environmentOf(workload).keySet());
            unread.removeIf(variable ->
                    FOREIGN.contains(variable) || variable.startsWith(KAFKA_CLIENT) || service.reads(variable));
            assertThat(unread)
                    .as("set for %s, but not read by it", Manifests.titleOf(workload))
                    .isEmpty();
        }
    }

    private static String module(ObjectNode workload) {
        return Objects.requireNonNull(Container.MODULES.get(Manifests.componentOf(workload)));
    }
}
