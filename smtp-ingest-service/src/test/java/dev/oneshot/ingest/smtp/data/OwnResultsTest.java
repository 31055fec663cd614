package dev.oneshot.ingest.smtp.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.ingest.smtp.AuthservId;
import dev.oneshot.message.HeaderField;
import dev.oneshot.message.MessageLimits;
import dev.oneshot.message.MessageReader;
import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which fields bear our authserv-id, in every spelling, and that nothing else is removed. */
class OwnResultsTest {

    private static final AuthservId OURS = AuthservId.of("mx.example");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authentication-Results: mx.example; spf=pass",
                "authentication-results:mx.example;spf=pass",
                "AUTHENTICATION-RESULTS:\tMX.EXAMPLE; none",
                "Authentication-Results : mx.example; spf=pass",
                "Authentication-Results \t : mx.example; spf=pass",
                "\uFEFFAuthentication-Results: mx.example; spf=pass",
                "Authentication-Results: mx.example",
                "Authentication-Results: mx.example 1; spf=pass",
                "Authentication-Results: mx.example/1; spf=pass",
                "Authentication-Results: mx.example 1 (x); spf=pass",
                "Authentication-Results: mx.example.; spf=pass",
                "Authentication-Results: mx.example. 1; spf=pass",
                "Authentication-Results: mx.example .org; spf=pass",
                "Authentication-Results: \"mx.example\"; spf=pass",
                "Authentication-Results: \" mx.example \"; spf=pass",
                "Authentication-Results: \"mx\\.exam\\ple\" 1; spf=pass",
                "Authentication-Results: \"mx.example; spf=pass",
                "Authentication-Results: mx.\"example\"; spf=pass",
                "Authentication-Results: (c) mx.example(c); spf=pass",
                "Authentication-Results: (a (b \\) c) d)mx.example; spf=pass",
                "Authentication-Results: mx (c) . (d) example; spf=pass",
                "Authentication-Results:\r\n mx.example;\r\n spf=pass",
                "Authentication-Results:\n mx.example;\n spf=pass",
                "Authentication-Results:\r\n \r\n\tmx.example; spf=pass",
                "Authentication-Results: (a\r\n b)\r\n mx.\r\n example; spf=pass",
                "Authentication-Results:\rmx.example; spf=pass",
                "\rAuthentication-Results: mx.example; spf=pass",
                "\r\rAuthentication-Results: mx.example; spf=pass",
                "Authentication-Results: \0\u0001\u0085\u00A0\u3000mx.example; spf=pass",
                "Authentication-Results: \uFF4D\uFF58.example; spf=pass",
                "Authentication-Results: m\u200Bx.exam\u00ADple; spf=pass",
                "Authentication-Results: \uFEFFm\0x.\u034Fexample\uFE0F; spf=pass",
                "Authentication-Results: mx.example\0.org; spf=pass",
                "Authentication-Results: mx.example\uDB40\uDD00; spf=pass",
                "Authentication-Results: mx.ex\u115F\u3164\uFFA0\u17B4\u2065\uFFF0ample; spf=pass",
                "Authentication-Results: mx.ex\rample; spf=pass",
                "Authentication-\rResults: mx.example; spf=pass",
                "Authentication-Results: mx\u3002example; spf=pass",
                "Authentication-Results: mx\uFF0Eexample\uFF61; spf=pass",
                "Authentication-Results: =?utf-8?q?mx.example?=; spf=pass",
                "Authentication-Results: mx.=?utf-8?q?example?=; spf=pass",
                "Authentication-Results: (=?utf-8?q?)_mx.example;?=) other.example; spf=pass",
                "Authentication-Results:\n\uFEFF\tmx.example; spf=pass",
                "Authentication-Results:\r\n \rAuthentication-Results: mx.example\r\r(=?utf-8?q?)_mx.example;?=",
            })
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
    @ValueSource(
            strings = {
                "Authentication-Results: example; spf=pass",
                "Authentication-Results: mx.example.org; spf=pass",
                "Authentication-Results: amx.example; spf=pass",
                "Authentication-Results: mx.example-2; spf=pass",
                "Authentication-Results: mx; x=mx.example",
                "Authentication-Results: mx .example2; spf=pass",
                "Authentication-Results: (mx.example) other.example; spf=pass",
                "Authentication-Results: (mx.example; spf=pass",
                "Authentication-Results: other.example (=?utf-8?q?c?=); spf=pass",
                "Authentication-Results: other.example; reason=\"=?utf-8?q?c?=\"",
                "Authentication-Results: ; mx.example",
                "Authentication-Results:",
                "Authentication-Results mx.example; spf=pass",
                "Authentication-Result: mx.example; spf=pass",
                "X-Authentication-Results: mx.example; spf=pass",
                "Authentication-Results-Original: mx.example; spf=pass",
                "Subject: Authentication-Results: mx.example; spf=pass",
                "Subject: s\r\n Authentication-Results: mx.example; spf=pass",
                "Subject: s\r\rAuthentication-Results: mx.example; spf=pass",
                "Authentication-Results: mx.examp1e\u200B; spf=pass",
                "Authentication-Results: m\u200Bx.example.org; spf=pass",
            })
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

    @Test
    void aFieldAfterABareReturnLeavesTheLineEndToTheFieldBefore() {
        assertThat(removedFrom("Subject: s\rAuthentication-Results: mx.example\rX: x\r\nTo: b\r\n"))
                .isEqualTo("Subject: s\rX: x\r\nTo: b\r\n");
    }

    @Test
    void aFieldAfterABlankIsOursOnceItIsTheFirst() {
        String ours = "Authentication-Results: mx.example\r\n";
        assertThat(removedFrom(ours + "\r\t" + ours + "To: b\r\n")).isEqualTo("To: b\r\n");
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
    Arbitrary<String> mixtures() {
        return Arbitraries.of(
                        "\r\n",
                        "\n",
                        "\r",
                        "\r\n ",
                        " ",
                        "\t",
                        ":",
                        ";",
                        "\"",
                        "(",
                        ")",
                        "mx",
                        ".",
                        "mx.example",
                        "example",
                        "Authentication-Results",
                        "Authentication-Results: ",
                        "Authentication-Results: mx.example",
                        "\r\nAuthentication-Results: mx.example; x=y\r\n",
                        "Subject: s\r\n",
                        "x",
                        "=?utf-8?q?mx.example?=",
                        "\uFEFF",
                        "From \r\n",
                        "--b",
                        "\0")
                .list()
                .ofMaxSize(40)
                .map(words -> String.join("", words));
    }

    private static String removedFrom(String message) {
        byte[] content = message.getBytes(StandardCharsets.UTF_8);
        byte[] octets = new byte[content.length + 20];
        Arrays.fill(octets, (byte) 'T');
        System.arraycopy(content, 0, octets, 10, content.length);
        int end = 10 + content.length;

        OwnResults.Removed removed = OwnResults.remove(octets, 10, end, end, OURS);

        assertThat(Arrays.copyOf(octets, 10)).containsOnly('T');
        assertThat(Arrays.copyOfRange(octets, end, octets.length)).containsOnly('T');
        String left = new String(octets, 10, removed.end() - 10, StandardCharsets.UTF_8);
        assertThat(removed.fields() > 0).isEqualTo(left.length() < message.length());
        return left;
    }
}
