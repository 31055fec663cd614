package dev.oneshot.mailer.letter;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LetterTlsTest {

    @ParameterizedTest
    @CsvSource({
        "none, DISABLED, false",
        "NONE, DISABLED, false",
        "starttls, REQUIRED, false",
        "StartTLS, REQUIRED, false",
        "' STARTTLS ', REQUIRED, false",
        "implicit, DISABLED, true",
        "IMPLICIT, DISABLED, true"
    })
    void lettersAreEncryptedAsOtherMailIs(String mode, String startTls, boolean tls) {
        SmallRyeConfig config = config(Map.of("ONESHOT_RELAY_TLS", mode));

        assertThat(config.getValue("quarkus.mailer.start-tls", String.class)).isEqualTo(startTls);
        assertThat(config.getValue("quarkus.mailer.tls", boolean.class)).isEqualTo(tls);
    }

    @Test
    void withoutASettingTheyNeedStartTls() {
        assertThat(config(Map.of()).getValue("quarkus.mailer.start-tls", String.class))
                .isEqualTo("REQUIRED");
    }

    private static SmallRyeConfig config(Map<String, String> environment) {
        return new SmallRyeConfigBuilder()
                .withSources(new EnvConfigSource(environment, 300))
                .withSources(new LetterTls())
                .build();
    }
}
