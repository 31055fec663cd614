package dev.oneshot.authentication.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.oneshot.message.HeaderField;
import dev.oneshot.message.MessageLimits;
import dev.oneshot.message.MessageReader;
import java.io.File;
import java.io.IOException;
import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields with our authserv-id are removed, in every spelling, and nothing else is. */
class OwnResultsTest {

    private static final AuthservId OURS = AuthservId.of("mx.example");

    /** Names a list in a file. */
    private static List<String> read(String list) throws IOException {
        JsonNode lists = new ObjectMapper().readTree(new File("src/test/resources/own-results.json"));
        return lists.path(list).valueStream().map(JsonNode::asText).toList();
    }

    static List<String> ours() throws IOException {
        return read("ours");
    }

    static List<String> others() throws IOException {
        return read("others");
    }

    @ParameterizedTest
    @MethodSource("ours")
    void everySpellingOfOursIsRemoved(String field) {
        assertThat(removedFrom("Subject: s\r\n" + field + "\r\nTo: b\r\n\r\ntext"))
                .isEqualTo("Subject: s\r\nTo: b\r\n\r\ntext");
        assertThat(removedFrom(field + "\r\nTo: b\r\n\r\ntext")).isEqualTo("To: b\r\n\r\ntext");
        if (field.startsWith("A") || field.startsWith("a")) {
            assertThat(removedFrom(" " + field + "\r\nTo: b\r\n\r\ntext")).isEqualTo("To: b\r\n\r\ntext");
        }
        assertThat(removedFrom("Subject: s\r\n" + field)).isEqualTo("Subject: s\r\n");
        assertThat(removedFrom((field + "\r\n").repeat(300) + "To: b\r\n")).isEqualTo("To: b\r\n");
    }

    @ParameterizedTest
    @MethodSource("others")
    void allElseStays(String field) {
        String message = "Subject: s\r\n" + field + "\r\nTo: b\r\n\r\ntext";
        assertThat(removedFrom(message)).isEqualTo(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\r\n", "\n", "\r\r\n"})
    void theBodyStays(String emptyLine) {
        String message = "Subject: s\r\n" + emptyLine + "Authentication-Results: mx.example; spf=pass\r\n";
        assertThat(removedFrom(message)).isEqualTo(message);
    }

    /**
     * The line end of a removed field after a bare CR then ends the field before. Readers that drop bare CRs would join
     * the rest of the second message into a field with our authserv-id. A field after a blank is ours once it is first.
     */
    @ParameterizedTest
    @CsvFileSource(resources = "/own-results-in-parts.txt", delimiter = '|', quoteCharacter = '\'')
    void whatIsLeftIsCheckedAgain(String message, String left) {
        assertThat(removedFrom(message.translateEscapes())).isEqualTo(left.translateEscapes());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " \n",
                "\r",
                "x\r",
                "x\r ",
                "x\n ",
                "(x",
                "\u200B",
                "=\u200B",
                "\rAuthentication-Results: mx.example\r\n ",
                "\nAuthentication-Results: \u00FC\r\n",
                "\nAuthentication-Results: mx.example\r\n"
            })
    void timeIsLinear(String piece) {
        String message = "Authentication-Results: x\r\n" + piece.repeat(500_000 / piece.length());

        assertTimeout(Duration.ofSeconds(5), () -> removedFrom(message));
    }

    @Test
    void aUnicodeNameIsOursInEitherForm() {
        AuthservId international = AuthservId.of("mx.xn--bcher-kva.example");
        assertThat(international.isIn(" mx.b\u00FCcher.example; spf=pass")).isTrue();
        assertThat(international.isIn(" mx.B\u00DCCHER.example; spf=pass")).isTrue();
        assertThat(international.isIn(" mx.bu\u0308cher.example; spf=pass")).isTrue();
        assertThat(international.isIn(" mx.bucher.example; spf=pass")).isFalse();
        AuthservId astral =
                AuthservId.of(IDN.toASCII("\uD835\uDD22\uD83D\uDCA9".repeat(12) + ".example", IDN.ALLOW_UNASSIGNED));
        assertThat(astral.isIn(" " + "e\uD83D\uDCA9".repeat(12) + ".example; spf=pass"))
                .isTrue();
    }

    @Test
    void aNameThatIsTooLongForPunycodeIsNotOurs() {
        AuthservId ours = AuthservId.of("mail-exchanger.example");

        assertThat(ours.isIn(" " + "\uFDFA".repeat(57) + "; spf=pass")).isFalse();
    }

    /** Whatever is read of the rest, none of the fields that are shown bears our name, and a second look finds none. */
    @Property(tries = 5_000)
    void noReaderIsShownOneOfOurs(@ForAll("mixtures") String sent) {
        String left = removedFrom(sent);

        byte[] octets = left.getBytes(StandardCharsets.UTF_8);
        assertThat(MessageReader.read(octets, 0, octets.length, MessageLimits.DEFAULTS)
                        .headers())
                .filteredOn(field -> field.name().equalsIgnoreCase("Authentication-Results"))
                .extracting(HeaderField::value)
                .noneMatch(value -> value.matches("(?i)\"?mx\\.example\"?([\\s;(].*)?"));
        if (!left.startsWith(" ") && !left.startsWith("\t")) {
            assertThat(removedFrom(left)).isEqualTo(left);
        }
    }

    @Provide
    Arbitrary<String> mixtures() throws IOException {
        return Arbitraries.of(read("pieces")).list().ofMaxSize(40).map(words -> String.join("", words));
    }

    private static String removedFrom(String message) {
        byte[] content = message.getBytes(StandardCharsets.UTF_8);
        byte[] octets = new byte[content.length + 20];
        Arrays.fill(octets, (byte) 'T');
        System.arraycopy(content, 0, octets, 10, content.length);
        int end = 10 + content.length;

        OwnResults results = new OwnResults(OURS);
        int left = results.remove(octets, 10, end, end);

        assertThat(Arrays.copyOf(octets, 10)).containsOnly('T');
        assertThat(Arrays.copyOfRange(octets, end, octets.length)).containsOnly('T');
        assertThat(results.fields() > 0).isEqualTo(left < end);
        return new String(octets, 10, left - 10, StandardCharsets.UTF_8);
    }
}
