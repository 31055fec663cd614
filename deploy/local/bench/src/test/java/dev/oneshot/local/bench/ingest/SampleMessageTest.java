package dev.oneshot.local.bench.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.contracts.content.MailContent;
import dev.oneshot.contracts.event.Octets;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SampleMessageTest {

    /** Mail of two public corpora has the ratios 0.49 (2 to 8 KB), 0.40 (8 to 32 KB), 0.56 (32 to 128 KB), and 0.54. */
    @ParameterizedTest
    @ValueSource(ints = {10 * 1024, 30 * 1024, 100 * 1024, 1024 * 1024})
    void newsletterCompressesAsRealMailDoes(int size) {
        byte[] mail = SampleMessage.newsletter(size);

        assertThat(mail).hasSizeBetween(size - 100, size + 1024);
        assertThat((double) MailContent.compress(new byte[0], Octets.of(mail)).length() / mail.length)
                .isBetween(0.4, 0.6);
    }

    @ParameterizedTest
    @ValueSource(ints = {10 * 1024, 100 * 1024})
    void noLineStartsWithADotButTheLast(int size) {
        for (byte[] mail : new byte[][] {SampleMessage.newsletter(size), SampleMessage.content(size)}) {
            String text = new String(mail, StandardCharsets.US_ASCII);

            assertThat(text.indexOf("\r\n.")).isEqualTo(text.length() - 5);
        }
    }
}
