package dev.oneshot.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TransferEncodingTest {

    private static final byte[] CRLF = {'\r', '\n'};

    @ParameterizedTest
    @ValueSource(ints = {1, 182, 1_456, 1_457, 10_000, 100_000})
    void linesOfUuencodeThatLackTheirContentAreFilledUpWithinABound(int lines) throws IOException {
        byte[] encoded = ("begin 644 zeros\n" + "M\n".repeat(lines)).getBytes(StandardCharsets.US_ASCII);

        int counted = TransferEncoding.UUENCODE.decodedLength(encoded, 0, encoded.length);
        byte[] decoded;
        try (InputStream decoding = TransferEncoding.UUENCODE.decoding(new ByteArrayInputStream(encoded))) {
            decoded = decoding.readAllBytes();
        }

        assertThat(decoded).hasSize(Math.min(45 * lines, UuDecoder.FILL_MAX)).containsOnly(0);
        assertThat(counted).isEqualTo(decoded.length);
    }

    @Property
    void base64OfAnyOctetsGivesThemBack(@ForAll byte[] octets) {
        byte[] encoded = Base64.getMimeEncoder().encode(octets);
        assertThat(TransferEncoding.BASE64.decode(encoded)).isEqualTo(octets);
    }

    @Property
    void base64OfPiecesGivesThemBack(@ForAll @Size(min = 1, max = 40) List<@Size(max = 300) byte[]> pieces) {
        StringBuilder encoded = new StringBuilder();
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        for (byte[] piece : pieces) {
            // A piece of whole groups has no padding, and is no line of its own that could be a word.
            if (piece.length % 3 != 0) {
                encoded.append(Base64.getEncoder().encodeToString(piece)).append("\r\n");
                whole.writeBytes(piece);
            }
        }

        byte[] decoded = TransferEncoding.BASE64.decode(encoded.toString().getBytes(StandardCharsets.US_ASCII));

        assertThat(decoded).isEqualTo(whole.toByteArray());
    }

    /** The last line is base64 if it has whole groups and is no word, or is longer than any word. */
    @ParameterizedTest
    @CsvSource({
        "YWJj, 4",
        "Y2Q=, 3",
        "abcd, 1",
        "ABCD, 1",
        "1234, 1",
        "List, 1",
        "YWJjZA, 1",
        "YWJj ZGVm, 1",
        "YWJj!, 1",
        "YWJj====, 1"
    })
    void lineAfterPaddingIsBase64(String line, int octets) {
        assertDecodes("YQ==\r\n" + line + "\r\n", octets);
    }

    @Test
    void linesAfterPaddingHaveTheirBounds() {
        assertDecodes("YQ==\n" + "a".repeat(40) + "\n", 1);
        assertDecodes("YQ==\n" + "a".repeat(41) + "\n", 1 + 30);
        assertDecodes("YQ==\n" + "a".repeat(998) + " a\n", 1);
        // What follows the octets that decide is skipped, as elsewhere.
        assertDecodes("YQ==\n" + "a".repeat(999) + " a\n", 1 + 750);
    }

    /** As after padding. An empty line within a group, or before all groups, is skipped. */
    @ParameterizedTest
    @CsvSource({
        "'YWJj\\r\\n\\r\\n-- \\r\\nScanned by us\\r\\n', 3",
        "'YWJj\\n \\t\\nList info\\n', 3",
        "'YWJj\\r\\n\\r\\nList\\r\\n', 3",
        "'YWJj\\r\\n\\r\\nZGVm\\r\\n\\r\\nZ2g=\\r\\n', 8",
        "'YWJj\\r\\nList\\r\\n', 6",
        "'YWJjZG\\r\\n\\r\\nVm\\r\\n', 6",
        "'\\r\\n\\r\\nabcd\\r\\n', 3",
        "'YWJj\\r\\n!\\r\\nabcd\\r\\n', 6"
    })
    void emptyLineEndsTheDataUnlessBase64Follows(String encoded, int octets) {
        assertDecodes(encoded.translateEscapes(), octets);
    }

    private static void assertDecodes(String encoded, int octets) {
        byte[] slice = encoded.getBytes(StandardCharsets.US_ASCII);

        assertThat(TransferEncoding.BASE64.decode(slice)).hasSize(octets);
        assertThat(TransferEncoding.BASE64.decodedLength(slice, 0, slice.length))
                .isEqualTo(octets);
        MessageLaws.check(slice, new Leaf(0, slice.length, TransferEncoding.BASE64, ""));
    }

    @Property
    void decodingDoesNotDependOnHowTheInputIsCut(@ForAll("damaged") byte[] encoded, @ForAll TransferEncoding encoding) {
        MessageLaws.check(encoded, new Leaf(0, encoded.length, encoding, ""));
    }

    /** Lines of one length are decoded in blocks, if they have only digits. */
    @Property
    void linesOfBase64AreDecodedAndDamagedOnesKeepTheLaws(
            @ForAll @IntRange(min = 0, max = 3_000) int octets,
            @ForAll @IntRange(min = 1, max = 20) int groups,
            @ForAll @IntRange(min = 0, max = 4_000) int place,
            @ForAll("damaged") byte[] damage) {
        byte[] content = new byte[octets];
        new Random(octets).nextBytes(content);
        String lines = Base64.getMimeEncoder(4 * groups, CRLF).encodeToString(content);
        assertThat(TransferEncoding.BASE64.decode(lines.getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo(content);

        String damaged = new StringBuilder(lines)
                .insert(Math.min(place, lines.length()), new String(damage, StandardCharsets.US_ASCII))
                .toString();
        byte[] encoded = damaged.getBytes(StandardCharsets.US_ASCII);
        MessageLaws.check(encoded, new Leaf(0, encoded.length, TransferEncoding.BASE64, ""));
    }

    /** Two blocks of lines, and lines around them. In pieces there are no blocks. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void linesOfBase64AreDecodedAlikeWhateverOctetOneOfThemHas(int groups) {
        byte[] content = new byte[18 * 3 * groups - 1];
        new Random(groups).nextBytes(content);
        byte[] lines = (Base64.getMimeEncoder(4 * groups, CRLF).encodeToString(content) + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        for (int place = 0; place < lines.length; place++) {
            for (byte octet : "A/=-. \t\r\n\0\u007f\u0080\u00ff".getBytes(StandardCharsets.ISO_8859_1)) {
                byte[] damaged = lines.clone();
                damaged[place] = octet;
                MessageLaws.check(damaged, new Leaf(0, damaged.length, TransferEncoding.BASE64, ""));
            }
        }
    }

    /** Blocks end at the end of what is read at once, wherever that is in a line. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 18, 19, 255, 256, 2_048, 10_000})
    void longBase64IsDecodedWhateverTheLengthOfItsLines(int groups) {
        byte[] content = new byte[100_001];
        new Random(groups).nextBytes(content);
        byte[] lines = Base64.getMimeEncoder(4 * groups, CRLF).encode(content);

        assertThat(TransferEncoding.BASE64.decode(lines)).isEqualTo(content);
        MessageLaws.check(lines, new Leaf(0, lines.length, TransferEncoding.BASE64, ""));
    }

    /** Octets with a meaning to one of the decoders, so that every state is reached. */
    @Provide
    Arbitrary<byte[]> damaged() {
        return Arbitraries.of(
                        "=",
                        "=\r\n",
                        "= \t\r\n",
                        "Zg==",
                        "Zm9v",
                        "=4",
                        "=41",
                        "=\r",
                        " ",
                        "\t",
                        "\r\n",
                        "\n",
                        "\r",
                        "YWJj",
                        "Y",
                        "x")
                .list()
                .ofMaxSize(60)
                .map(pieces -> String.join("", pieces))
                .map(text -> ("begin 644 x\r\n" + text).getBytes(StandardCharsets.ISO_8859_1));
    }

    @ParameterizedTest
    @EnumSource(TransferEncoding.class)
    void longInputIsCountedAsItIsDecoded(TransferEncoding encoding) {
        byte[] encoded = new byte[100_000];
        new Random(7).nextBytes(encoded);

        MessageLaws.check(encoded, new Leaf(0, encoded.length, encoding, ""));
        MessageLaws.check(encoded, new Leaf(10, 5_000, encoding, ""));
    }

    @ParameterizedTest
    @CsvSource({"base64, BASE64", "quoted-printable, QUOTED_PRINTABLE", "x-uuencode, UUENCODE"})
    void labelNamesAnEncoding(String label, TransferEncoding encoding) {
        assertThat(TransferEncoding.named(label)).isEqualTo(encoding);
    }

    @ParameterizedTest
    @ValueSource(strings = {"7bit", "8bit", "binary", "made-up", ""})
    void anyOtherLabelLeavesTheOctetsAsTheyAre(String label) {
        assertThat(TransferEncoding.named(label)).isEqualTo(TransferEncoding.IDENTITY);
    }

    @Test
    void blanksWithinALineOfQuotedPrintableAreKeptHoweverMany() {
        String blanks = " \t".repeat(5_000);
        byte[] decoded =
                TransferEncoding.QUOTED_PRINTABLE.decode(("a" + blanks + "b").getBytes(StandardCharsets.US_ASCII));
        assertThat(new String(decoded, StandardCharsets.US_ASCII)).isEqualTo("a" + blanks + "b");
    }

    @Test
    void sliceOutsideItsArrayIsRefused() {
        assertThatThrownBy(() -> TransferEncoding.BASE64.decodedLength(new byte[3], 1, 3))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }
}
