package dev.oneshot.api.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.contracts.signing.SigningKey;
import java.security.SecureRandom;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ApiKeyTest {

    private static final SigningKey FIRST = SampleKeys.signingKey(1);
    private static final SigningKey SECOND = SampleKeys.signingKey(2);

    private final String issued = ApiKey.generate(new SecureRandom(), FIRST).reveal();

    @Test
    void keyIsSignedAndVerifies() {
        assertThat(issued).matches("oneshot_[0-9A-Za-z]{56}");
        assertThat(ApiKey.verify(issued, List.of(FIRST)))
                .hasValueSatisfying(key -> assertThat(key.reveal()).isEqualTo(issued));
    }

    @Test
    void keyOfARetiredSecretVerifiesWhileTheSecretIsListed() {
        assertThat(ApiKey.verify(issued, List.of(SECOND, FIRST))).isPresent();
        assertThat(ApiKey.verify(issued, List.of(SECOND))).isEmpty();
    }

    @Test
    void anyOtherCharacterIsRefused() {
        for (int i = 0; i < issued.length(); i++) {
            char other = issued.charAt(i) == 'x' ? 'y' : 'x';
            String forged = issued.substring(0, i) + other + issued.substring(i + 1);

            assertThat(ApiKey.verify(forged, List.of(FIRST)))
                    .as("character %d", i)
                    .isEmpty();
        }
    }

    @Test
    void keyIsNotPrinted() {
        assertThat(ApiKey.verify(issued, List.of(FIRST)).orElseThrow()).hasToString("oneshot_…");
    }

    @Property(tries = 500)
    void verifyingNeverThrows(@ForAll String text) {
        assertThat(ApiKey.verify(text, List.of(FIRST))).isEmpty();
        assertThat(ApiKey.verify("oneshot_" + text, List.of(FIRST))).isEmpty();
    }
}
