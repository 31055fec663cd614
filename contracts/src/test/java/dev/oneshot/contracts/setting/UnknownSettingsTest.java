package dev.oneshot.contracts.setting;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnknownSettingsTest {

    @ConfigMapping(prefix = "oneshot.smtp")
    interface Smtp {
        int port();

        int messageBytesMax();

        Optional<List<String>> proxyNetworks();
    }

    @ConfigMapping(prefix = "oneshot.rate-limit")
    interface RateLimit {
        int leaseTime();
    }

    @ConfigMapping(prefix = "oneshot.headers")
    interface Headers {
        Map<String, String> fixed();
    }

    @ConfigMapping(prefix = "oneshot")
    interface Plans {
        String receiveDomain();

        Map<String, Plan> plans();

        interface Plan {
            int burst();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "oneshot.smtp.prot, ONESHOT_SMTP_PROT",
        "oneshot.smtp.port.x, ONESHOT_SMTP_PORT_X",
        "oneshot.smtp.port[0], ONESHOT_SMTP_SUBMISSION_PORT",
        "oneshot.smtp.proxy-networks[x], ONESHOT_SMTP_PROXY_NETWORKS_X",
        "oneshot.plans.free.burts, ONESHOT_PLANS_FREE_BURTS",
        "oneshot.plans.free, ONESHOT_HEADERS_FXIED_SERVER",
        "oneshot.rate-limit.leasetime, ONESHOT_RATE_LIMIT_LEASETIME",
        "oneshot.http.prot, ONESHOT_HTTP_PROT"
    })
    void misspeltSettingIsNamedWithItsSource(String property, String variable) {
        assertThatThrownBy(() -> check(properties(property)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith(property + " is no setting of this service (from PropertiesConfigSource");
        assertThatThrownBy(() -> check(environment(variable)))
                .hasMessageStartingWith(variable + " is no setting of this service (from EnvConfigSource");
    }

    @ParameterizedTest
    @CsvSource({
        "oneshot.kafka.bootstrap-servers, kafka.bootstrap.servers",
        "oneshot.kafka.client.\"security.protocol\", kafka.security.protocol",
        "oneshot.delivery.buffer-memory, mp.messaging.outgoing.mail-inbound.buffer.memory",
        "ONESHOT_KAFKA_BOOTSTRAP_SERVERS, KAFKA_BOOTSTRAP_SERVERS",
        "ONESHOT_KAFKA_CLIENT__SASL_JAAS_CONFIG_, KAFKA_SASL_JAAS_CONFIG",
        "ONESHOT_INBOX_BATCH_MAILS, MP_MESSAGING_INCOMING_MAIL_INBOUND_MAX_POLL_RECORDS"
    })
    void renamedSettingIsNamedWithItsNewName(String name, String now) {
        ConfigSource source = name.startsWith("ONESHOT") ? environment(name) : properties(name);

        assertThatThrownBy(() -> check(source)).hasMessageStartingWith(name + " is now " + now + " (from ");
    }

    @ParameterizedTest
    @CsvSource({
        "oneshot.smtp.port, ONESHOT_SMTP_PORT",
        "oneshot.smtp.message-bytes-max, ONESHOT_SMTP_MESSAGE_BYTES_MAX",
        "oneshot.smtp.proxy-networks, ONESHOT_SMTP_PROXY_NETWORKS",
        "oneshot.smtp.proxy-networks[1], ONESHOT_SMTP_PROXY_NETWORKS_1_",
        "oneshot.plans.free.burst, ONESHOT_PLANS_FREE_BURST",
        "oneshot.plans.\"very-large\".burst, ONESHOT_PLANS__VERY_LARGE__BURST",
        "oneshot.rate-limit.lease-time, ONESHOT_RATE_LIMIT_LEASE_TIME",
        "oneshot.headers.fixed.\"x.server\", ONESHOT_HEADERS_FIXED__X_SERVER_",
        "oneshot.receive-domain, ONESHOT_RECEIVE_DOMAIN",
        "oneshot.http.host, ONESHOT_HTTP_HOST"
    })
    void settingsAreKnownByBothOfTheirNames(String property, String variable) {
        assertThatCode(() -> check(properties(property))).doesNotThrowAnyException();
        assertThatCode(() -> check(environment(variable))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ONESHOT_LOCAL_KAFKA_PORT", "ONESHOT_RELAY_PASSWORD"})
    void variablesOfOtherServicesAreIgnored(String name) {
        assertThatCode(() -> check(environment(name))).doesNotThrowAnyException();
    }

    private static void check(ConfigSource source) {
        UnknownSettings.reject(
                new SmallRyeConfigBuilder().withSources(source).build(),
                List.of(Smtp.class, RateLimit.class, Headers.class, Plans.class),
                Set.of("oneshot.http.host"));
    }

    private static ConfigSource properties(String name) {
        return new PropertiesConfigSource(Map.of(name, "1"), "a file", 250);
    }

    private static ConfigSource environment(String name) {
        return new EnvConfigSource(Map.of(name, "1"), 300);
    }
}
