package dev.oneshot.contracts.signing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

class SigningKeyTest {

    @Test
    void aKeyHasAtLeast32OctetsAndIsNeverPrinted() {
        String short31 = Base64.getEncoder().encodeToString(new byte[31]);
        String enough = Base64.getEncoder().encodeToString(new byte[32]);

        assertThatThrownBy(() -> SigningKey.ofBase64(short31)).hasMessageContaining("at least 32 bytes, not 31");
        assertThatThrownBy(() -> SigningKey.ofBase64("no base64!")).hasMessageContaining("must be base64");
        assertThatThrownBy(() -> SigningKey.listOfBase64(List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThat(SigningKey.ofBase64(enough).toString()).isEqualTo("SigningKey[…]");
    }
}
