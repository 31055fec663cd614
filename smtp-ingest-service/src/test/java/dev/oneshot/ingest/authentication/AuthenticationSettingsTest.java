package dev.oneshot.ingest.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quarkus.runtime.configuration.ConfigurationException;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class AuthenticationSettingsTest {

    @Test
    void textThatIsNoServerStopsTheStart() {
        assertThat(AuthenticationSettings.server("192.0.2.53")).isEqualTo(new InetSocketAddress("192.0.2.53", 53));

        assertThatThrownBy(() -> AuthenticationSettings.server("dns.example"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("oneshot.dns.servers");
    }
}
