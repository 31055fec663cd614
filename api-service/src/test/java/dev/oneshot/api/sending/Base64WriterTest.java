package dev.oneshot.api.sending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.api.sending.Base64Octets.Base64Writer;
import java.io.IOException;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Base64WriterTest {

    /** 6144 bytes are one piece. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 6_143, 6_144, 6_145, 100_000})
    void octetsOfAnyNumberComeOutAsTheyWere(int count) throws IOException {
        byte[] octets = new byte[count];
        new Random(count).nextBytes(octets);

        assertThat(decoded(Base64.getEncoder().encodeToString(octets))).isEqualTo(octets);
    }

    @Test
    void nothingComesAfterThePadding() {
        String piece = "A".repeat(8 * 1024 - 2) + "==";

        assertThatThrownBy(() -> decoded(piece + "AAAA")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> decoded("AA==" + piece)).isInstanceOf(IllegalArgumentException.class);
    }

    private static byte[] decoded(String base64) throws IOException {
        Base64Writer writer = new Base64Writer(base64.length());
        writer.write(base64);
        return writer.octets().toByteArray();
    }
}
