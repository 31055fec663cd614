package dev.oneshot.ingest.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The input that a connection keeps while reading is paused. */
class ClientConnectionTest {

    private static final int READ = 64 * 1024;

    @ParameterizedTest
    @CsvSource({READ + ", 0", READ / 2 + ", " + READ / 2})
    void inputThatIsMostlyConsumedIsKeptWithoutTheRest(int consumed, int left) {
        byte[] octets = new byte[READ];
        new Random(1).nextBytes(octets);

        ByteBuffer kept = ClientConnection.toKeep(ByteBuffer.wrap(octets).position(consumed));

        assertThat(kept.array()).isEqualTo(Arrays.copyOfRange(octets, READ - left, READ));
    }

    @Test
    void inputOfWhichMoreThanHalfRemainsIsNotCopied() {
        ByteBuffer input = ByteBuffer.allocate(READ).position(READ / 2 - 1);

        assertThat(ClientConnection.toKeep(input)).isSameAs(input);
    }
}
