package dev.oneshot.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CharsetsTest {

    /**
     * All labels of the Encoding Standard (except "replacement" and "x-user-defined"), and others that programs
     * write.
     */
    @ParameterizedTest
    @CsvFileSource(resources = "charset-labels.csv", numLinesToSkip = 1)
    void labelInUseIsDecodedAsItIsMeant(String label, String octets, String text) {
        byte[] encoded = HexFormat.of().parseHex(octets);

        assertThat(Charsets.decode(label, encoded, 0, encoded.length)).isEqualTo(text);
        assertThat(Charsets.decode(label.toUpperCase(Locale.ROOT), encoded, 0, encoded.length))
                .isEqualTo(text);
        assertThat(Charsets.isKnown(label)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "x", "win", "no-such-charset", "x-user-defined"})
    void unknownLabelLeavesTheOctetsToDecide(String label) {
        assertThat(Charsets.isKnown(label)).isFalse();
        assertThat(Charsets.decode(label, new byte[] {(byte) 0xC3, (byte) 0xA9}, 0, 2))
                .isEqualTo("é");
        assertThat(Charsets.decode(label, new byte[] {(byte) 0xE9}, 0, 1)).isEqualTo("é");
    }

    @ParameterizedTest
    @CsvSource({
        "utf-8,1,7,true",
        "utf-8,1,8,false",
        "utf-8,0,1,false",
        "'',2,1,true",
        "'',1,1,false",
        "us-ascii,1,1,false"
    })
    void damagedUtf8IsReadAsUtf8IfItIsCalledSoOrMostlyIs(String label, int good, int bad, boolean utf8) {
        byte[] octets = ("Ã¼".repeat(good) + "ÿ".repeat(bad)).getBytes(StandardCharsets.ISO_8859_1);

        assertThat(Charsets.decode(label, octets, 0, octets.length))
                .isEqualTo(utf8 ? "ü".repeat(good) + "\uFFFD".repeat(bad) : "Ã¼".repeat(good) + "ÿ".repeat(bad));
    }

    @ParameterizedTest
    @CsvSource({
        "utf-8,43C3,C\uFFFD",
        "utf-8,43E9,C\u00E9",
        "utf-8,E280,\uFFFD",
        "utf-8,53E985,S\u00E9\u2026",
        "utf-8,53E9BB,S\u00E9\u00BB",
        "utf-8,53E984,S\uFFFD",
        "utf-8,20F09F9821,' \uFFFD!'",
        "utf-8,E9A021,\u00E9\u00A0!",
        "'',C3A920F09F98,\u00E9 \uFFFD",
        "'',43C3,C\u00C3"
    })
    void cutCharacterOfUtf8IsNotAnotherCharset(String label, String octets, String text) {
        byte[] encoded = HexFormat.of().parseHex(octets);

        assertThat(Charsets.decode(label, encoded, 0, encoded.length)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "big5,A1223E",
        "big5,A1A1A1223E",
        "euc-jp,8F223E",
        "euc-jp,8FA1223E",
        "euc-kr,A1223E",
        "gb18030,81223E",
        "gb18030,8130223E",
        "shift_jis,81223E",
        "utf-16be,D8000022003E",
        "utf-16le,00D822003E00",
        "utf-32be,00110000000000220000003E"
    })
    void asciiAfterAMalformedCharacterIsKept(String label, String octets) {
        byte[] encoded = HexFormat.of().parseHex(octets);

        assertThat(Charsets.decode(label, encoded, 0, encoded.length))
                .contains("\uFFFD")
                .endsWith("\">");
    }

    @Test
    void malformedPairOfIso2022IsLostAsAWhole() {
        byte[] octets = HexFormat.of().parseHex("1B24427F7F24221B284241");

        assertThat(Charsets.decode("iso-2022-jp", octets, 0, octets.length))
                .isEqualTo(new String(octets, Charset.forName("x-windows-iso2022jp")))
                .contains("\uFFFD")
                .endsWith("\u3042A");
    }

    @ParameterizedTest
    @CsvFileSource(resources = "charset-texts.txt", delimiter = '|', quoteCharacter = '\'')
    void sevenBitsAreDecoded(String label, String encoded, String text) {
        byte[] octets = encoded.translateEscapes().getBytes(StandardCharsets.US_ASCII);
        assertThat(Charsets.decode(label, octets, 0, octets.length)).isEqualTo(text.translateEscapes());
    }

    @Test
    void anyCharsetOfTheJdkDecodesAnyOctets() {
        byte[] octets = new byte[2_000];
        new Random(1).nextBytes(octets);
        for (Charset charset : Charset.availableCharsets().values()) {
            assertThat(Charsets.decode(charset.name(), octets, 0, octets.length))
                    .as(charset.name())
                    .isNotNull();
        }
    }

    @ParameterizedTest
    @CsvSource({"UTF-32,0000D800", "UTF-32LE,00DC0000", "CESU-8,EDA080", "UTF-7,2B3244302D"})
    void halfASurrogatePairIsNoCharacter(String label, String octets) {
        byte[] encoded = HexFormat.of().parseHex(octets);
        assertThat(Charsets.decode(label, encoded, 0, encoded.length)).isEqualTo("\uFFFD");
    }

    @Property
    void anyLabelDecodesAnyOctets(@ForAll String label, @ForAll byte[] octets) {
        assertThat(Charsets.decode(label, octets, 0, octets.length)).isNotNull();
    }

    @Property
    void anyTextInUtf8WithoutALabelIsReadAsItIs(@ForAll String text) {
        byte[] octets = text.getBytes(StandardCharsets.UTF_8);
        String expected = new String(octets, StandardCharsets.UTF_8);
        boolean ambiguous = expected.startsWith("\uFEFF") || expected.indexOf(0x1B) >= 0;
        assertThat(ambiguous || Charsets.decode("", octets, 0, octets.length).equals(expected))
                .isTrue();
    }

    @Test
    void halfASurrogatePairInUtf7HeaderIsNoCharacter() {
        assertThat(HeaderText.decode("=?utf-7?Q?+2D0-x?=".getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo("\uFFFDx");
    }
}
