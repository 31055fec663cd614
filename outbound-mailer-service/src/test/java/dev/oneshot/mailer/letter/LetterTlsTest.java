package dev.oneshot.mailer.letter;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.net.URL;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LetterTlsTest {

    @ParameterizedTest
    @CsvSource({
        "none, DISABLED, false",
        "NONE, DISABLED, false",
        "None, REQUIRED, false",
        "starttls, REQUIRED, false",
        "StartTLS, REQUIRED, false",
        "' STARTTLS ', REQUIRED, false",
        "implicit, DISABLED, true",
        "IMPLICIT, DISABLED, true"
    })
    void lettersAreEncryptedAsOtherMailIs(String mode, String startTls, boolean tls) throws IOException {
        SmallRyeConfig config = config(Map.of("ONESHOT_RELAY_TLS", mode));

        assertThat(config.getValue("quarkus.mailer.start-tls", String.class)).isEqualTo(startTls);
        assertThat(config.getValue("quarkus.mailer.tls", boolean.class)).isEqualTo(tls);
    }

    @Test
    void withoutASettingTheyNeedStartTls() throws IOException {
        assertThat(config(Map.of()).getValue("quarkus.mailer.start-tls", String.class))
                .isEqualTo("REQUIRED");
    }

    private static SmallRyeConfig config(Map<String, String> environment) throws IOException {
        URL application = Objects.requireNonNull(LetterTlsTest.class.getResource("/application.properties"));
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withSources(new EnvConfigSource(environment, 300), new PropertiesConfigSource(application))
                .build();
    }
}
