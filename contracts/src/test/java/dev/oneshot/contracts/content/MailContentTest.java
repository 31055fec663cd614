package dev.oneshot.contracts.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.contracts.event.EventFormatException;
import dev.oneshot.contracts.event.Octets;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MailContentTest {

    private static final byte[] STRUCTURE = "a structure".getBytes(StandardCharsets.US_ASCII);

    /** Text shrinks, random bytes do not, and a mail may have both. */
    private static byte[] message(int length, int randomFrom) {
        byte[] message = new byte[length];
        byte[] line = "A line of a mail, as they are.\r\n".getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < length; i++) {
            message[i] = line[i % line.length];
        }
        byte[] random = new byte[Math.max(0, length - randomFrom)];
        new Random(length).nextBytes(random);
        System.arraycopy(random, 0, message, length - random.length, random.length);
        return message;
    }

    private static byte[] plain(Octets content) throws EventFormatException {
        MailContent index = MailContent.read(content);
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        for (int frame = 0; frame < index.frames(); frame++) {
            plain.writeBytes(index.decode(frame, frame + 1, content.array(), content.offset() + index.begin(frame)));
        }
        assertThat(plain.size()).isEqualTo(index.structureBytes() + index.messageBytes());
        assertThat(index.contentBytes()).isEqualTo(content.length());
        return plain.toByteArray();
    }

    private static byte[] joined(byte[] structure, byte[] message) {
        return ByteBuffer.allocate(structure.length + message.length)
                .put(structure)
                .put(message)
                .array();
    }

    @Property(tries = 300)
    void whatWasCompressedComesBack(
            @ForAll @IntRange(max = 70_000) int structureBytes,
            @ForAll @IntRange(max = 300_000) int messageBytes,
            @ForAll @IntRange(max = 300_000) int randomFrom)
            throws EventFormatException {
        byte[] structure = message(structureBytes, structureBytes);
        byte[] message = message(messageBytes, randomFrom);

        assertThat(plain(MailContent.compress(structure, Octets.of(message)))).isEqualTo(joined(structure, message));
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0,
                1,
                MailContent.FRAME_BYTES - 11,
                MailContent.FRAME_BYTES - 10,
                2 * MailContent.FRAME_BYTES - 11,
                2 * MailContent.FRAME_BYTES - 10
            })
    void aMailIsCutEvery64KibibytesOfStructureAndMessage(int messageBytes) throws EventFormatException {
        byte[] message = message(messageBytes, messageBytes);

        Octets content = MailContent.compress(STRUCTURE, Octets.of(message));

        assertThat(MailContent.read(content).frames())
                .isEqualTo(Math.ceilDiv(STRUCTURE.length + messageBytes, MailContent.FRAME_BYTES));
        assertThat(plain(content)).isEqualTo(joined(STRUCTURE, message));
    }

    @Test
    void onlyTheSliceIsCompressed() throws EventFormatException {
        byte[] array = message(100_000, 50_000);

        Octets content = MailContent.compress(STRUCTURE, Octets.of(array, 1_000, 80_000));

        assertThat(plain(content)).isEqualTo(joined(STRUCTURE, Arrays.copyOfRange(array, 1_000, 81_000)));
    }

    @Test
    void whatDoesNotShrinkIsPlain() throws EventFormatException {
        byte[] message = message(200_000, 0);

        Octets content = MailContent.compress(new byte[0], Octets.of(message));

        assertThat(content.length()).isEqualTo(8 + 4 * 4 + message.length);
        assertThat(plain(content)).isEqualTo(message);
    }

    @Test
    void textIsLessThanAThird() {
        Octets content = MailContent.compress(STRUCTURE, Octets.of(message(200_000, 200_000)));

        assertThat(content.length()).isLessThan(66_000);
    }

    @Test
    void theLargestMessageAndStructureFit() {
        byte[] structure = new byte[8 * 1024 * 1024];
        Octets message = Octets.of(new byte[64 * 1024 * 1024]);

        assertThat(MailContent.compress(structure, message).length()).isLessThan(1024 * 1024);
    }

    @Test
    void contentOfTheFirstReleaseIsRead() throws Exception {
        Octets content = Octets.of(Files.readAllBytes(Path.of("src/test/resources/golden/mail-content.golden")));

        byte[] structure = Files.readAllBytes(Path.of("src/test/resources/golden/structure-1.golden"));
        byte[] message = "Subject: Grüße\r\n\r\nHallo\r\n".getBytes(StandardCharsets.UTF_8);
        assertThat(plain(content)).isEqualTo(joined(structure, message));
        assertThat(MailContent.read(content).structureBytes()).isEqualTo(structure.length);
    }

    @Test
    void aDamagedFrameIsAnErrorOrDecodesAsItWas() throws EventFormatException {
        Octets whole = MailContent.compress(STRUCTURE, Octets.of(message(3_000, 3_000)));
        MailContent index = MailContent.read(whole);
        byte[] plain = plain(whole);
        int errors = 0;

        for (int i = index.begin(0); i < whole.length(); i++) {
            byte[] damaged = whole.toByteArray();
            damaged[i] ^= 0x10;
            try {
                assertThat(index.decode(0, 1, damaged, index.begin(0))).isEqualTo(plain);
            } catch (EventFormatException e) {
                errors++;
            }
        }

        assertThat(errors).isGreaterThan((whole.length() - index.begin(0)) / 2);
    }

    @Test
    void aCutOffIndexIsNone() {
        byte[] whole =
                MailContent.compress(STRUCTURE, Octets.of(message(200_000, 0))).toByteArray();

        for (int length = 0; length < 8 + 4 * 4; length++) {
            Octets cut = Octets.of(whole, 0, length);
            assertThatThrownBy(() -> MailContent.read(cut))
                    .as("cut at %d", length)
                    .isInstanceOf(EventFormatException.class);
        }
    }

    /** Lengths of the structure and of the message, and where the first frame ends. */
    @ParameterizedTest
    @ValueSource(
            strings = {"-1 1 13", "1 -1 13", "2147483647 2147483647 13", "100000000 1 13", "0 1 12", "0 1 14", "1 0 -1"
            })
    void impossibleLengthsAreFormatErrors(String lengths) {
        ByteBuffer content = ByteBuffer.allocate(100);
        Arrays.stream(lengths.split(" ")).mapToInt(Integer::parseInt).forEach(content::putInt);

        assertThatThrownBy(() -> MailContent.read(Octets.of(content.array()))).isInstanceOf(EventFormatException.class);
    }
}
