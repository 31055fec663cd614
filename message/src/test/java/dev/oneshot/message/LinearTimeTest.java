package dev.oneshot.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
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

        @Override
        public String toString() {
            return what;
        }
    }

    static List<Hostile> hostile() {
        String multipart = "Content-Type: multipart/mixed; boundary=b\r\n\r\n";
        String disposition = "Content-Type: image/png\r\nContent-Disposition: attachment; filename";
        return List.of(
                new Hostile("open comments", "From: ", "(", ""),
                new Hostile("open brackets", "From: ", "[", ""),
                new Hostile("comments and addresses", "From: ", "(a@b ", "\r\n\r\n"),
                new Hostile("quotes", "From: ", "\" ", "\r\n\r\n"),
                new Hostile("backslashes", "From: \"", "\\", "\r\n\r\n"),
                new Hostile("angle brackets", "From: ", "<", "\r\n\r\n"),
                new Hostile("colons after an address", "From: " + "a".repeat(1000) + "@ ", ":", "\r\n\r\n"),
                new Hostile("commas", "From: ", "a,", "\r\n\r\n"),
                new Hostile("blanks between words", "From: ", "a ", "\r\n\r\n"),
                new Hostile("encoded words", "Subject: ", "=?utf-8?Q?=C3?= ", "\r\n\r\n"),
                new Hostile("encoded words of many charsets", "Subject: ", "=?utf-8?Q?a?= =?koi8-r?Q?a?=", "\r\n\r\n"),
                new Hostile("encoded words of unknown charsets", "Subject: ", "=?x-a?Q?a?= =?x-b?Q?a?=", "\r\n\r\n"),
                new Hostile("starts of encoded words", "Subject: ", "=?", "\r\n\r\n"),
                new Hostile("encoded words that never end", "Subject: ", "=?a?q?", "\r\n\r\n"),
                new Hostile("question marks", "Subject: =?a?q?", "? ", "\r\n\r\n"),
                new Hostile("folds", "Subject: a", "\r\n ", "\r\n\r\n"),
                new Hostile("fields", "", "a:\r\n", "\r\n"),
                new Hostile("lines that are no fields", "a:b\r\n", "x\r\n", "\r\n"),
                new Hostile("lines of hyphens in a header", multipart.strip() + "\r\n", "--x\r\n", "\r\n"),
                new Hostile("parameters", disposition + "=x", ";a=b", "\r\n\r\n"),
                new Hostile("semicolons", disposition + "=x", ";", "\r\n\r\n"),
                new Hostile("sections", disposition + "*0=x", ";filename*1=y", "\r\n\r\n"),
                new Hostile("comments in parameters", "Content-Type: text/plain", "(", "\r\n\r\n"),
                new Hostile("percents", disposition + "*=utf-8''", "%", "\r\n\r\n"),
                new Hostile("a long name", disposition + "=\"", "/.", "\"\r\n\r\n"),
                new Hostile("parts", multipart, "--b\r\n\r\n", "--b--\r\n"),
                new Hostile("almost delimiters", multipart + "--b\r\n\r\n", "--bb\r\n", ""),
                new Hostile("hyphens", multipart + "--b\r\n\r\n", "-", ""),
                new Hostile("empty lines", multipart, "\r\n", ""),
                new Hostile("multiparts in each other", "", multipart + "--b\r\n", ""),
                new Hostile("multiparts of a wrong boundary", "", multipart + "--c\r\n", ""),
                new Hostile("multiparts without a boundary", "", "Content-Type: multipart/mixed\r\n\r\n", ""),
                new Hostile("equals signs", encoded("quoted-printable"), "=", ""),
                new Hostile("blanks at the end of a line", encoded("quoted-printable"), " ", "\r\n"),
                new Hostile("escapes that are none", encoded("quoted-printable"), "= =4", ""),
                new Hostile("padding", encoded("base64"), "=", ""),
                new Hostile("begins", encoded("x-uuencode"), "begin ", ""),
                new Hostile("a line without end", encoded("x-uuencode") + "begin 644 x\n", "M", ""));
    }

    private static String encoded(String encoding) {
        return "Content-Type: image/png\r\nContent-Transfer-Encoding: " + encoding + "\r\n\r\n";
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
