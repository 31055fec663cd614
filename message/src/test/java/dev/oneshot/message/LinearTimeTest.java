package dev.oneshot.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages that are slow to read by a naive reader. Quadratic work on them would take days, so the test is that
 * reading ends at all; the timeout only stops the build.
 */
@Timeout(120)
class LinearTimeTest {

    private static final int SIZE = 8 << 20;
    private static final MessageLimits WIDE = new MessageLimits(100_000, 100, 100_000, 16 << 20);

    record Hostile(String what, String before, String unit, String after) {
        byte[] octets() {
            String message = before + unit.repeat(SIZE / unit.length()) + after;
            return message.getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    static Hostile[] hostile() {
        return Fixtures.json("hostile.json", Hostile[].class);
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void messageMadeToBeSlowIsRead(Hostile hostile) {
        byte[] octets = hostile.octets();

        MessageStructure structure = MessageReader.read(octets, 0, octets.length, WIDE);

        assertThat(structure.headers().size()).isLessThanOrEqualTo(WIDE.headerFieldsMax());
        assertThat(structure.attachments().size()
                        + structure.text().size()
                        + structure.html().size())
                .isLessThanOrEqualTo(WIDE.partsMax());
    }
}
