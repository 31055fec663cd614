package dev.oneshot.ingest.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** What a connection keeps of what it has read, for as long as it reads nothing more. */
class ClientConnectionTest {

    private static final int READ = 64 * 1024;

    @Test
    void inputThatIsConsumedIsNotKept() {
        assertThat(ClientConnection.toKeep(ByteBuffer.allocate(READ).position(READ))
                        .capacity())
                .isZero();
    }

    @Test
    void inputThatIsMostlyConsumedIsKeptWithoutTheRest() {
        byte[] octets = new byte[READ];
        octets[READ / 2] = 1;
        octets[READ - 1] = 2;

        ByteBuffer kept = ClientConnection.toKeep(ByteBuffer.wrap(octets).position(READ / 2));

        assertThat(kept.capacity()).isEqualTo(READ / 2);
        assertThat(kept.get(0)).isEqualTo((byte) 1);
        assertThat(kept.get(READ / 2 - 1)).isEqualTo((byte) 2);
    }

    @Test
    void inputOfWhichMoreThanHalfRemainsIsNotCopied() {
        ByteBuffer input = ByteBuffer.allocate(READ).position(READ / 2 - 1);

        assertThat(ClientConnection.toKeep(input)).isSameAs(input);
    }
}
