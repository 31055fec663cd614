package dev.oneshot.mailer.compose;

import static dev.oneshot.mailer.compose.ParsedMail.composed;
import static dev.oneshot.mailer.compose.ParsedMail.octets;
import static dev.oneshot.mailer.compose.ParsedMail.parse;
import static dev.oneshot.mailer.compose.ParsedMail.parts;
import static dev.oneshot.mailer.compose.ParsedMail.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.mailer.Requests;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.apache.james.mime4j.dom.Entity;
import org.apache.james.mime4j.dom.Message;
import org.apache.james.mime4j.dom.Multipart;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Apache Mime4j, an independent reader, parses the composed mails. */
class MimeComposerTest {

    @Test
    void headerHasSenderDateAndAutoSubmitted() throws IOException {
        Message read = parse(Requests.mail("Hello", "Hi\n", null, List.of()));

        assertThat(read.getFrom().getFirst().getAddress()).isEqualTo("cejqwzabcdefghijklmnopqr@out.example.org");
        assertThat(read.getTo().flatten().getFirst().getAddress()).isEqualTo("ada@example.org");
        assertThat(read.getMessageId()).isEqualTo("<cejqwzabcdefghijklmnopqr@out.example.org>");
        assertThat(read.getDate()).isEqualTo(Requests.REQUESTED_AT.minusMillis(500));
        assertThat(read.getHeader().getField("Auto-Submitted").getBody()).isEqualTo("auto-generated");
        assertThat(read.getHeader().getField("MIME-Version").getBody()).isEqualTo("1.0");
    }

    @Test
    void aTextAloneIsTheWholeBody() throws IOException {
        Message read = parse(Requests.mail("s", "one\ntwo\r\nthree\rfour", null, List.of()));

        assertThat(read.getMimeType()).isEqualTo("text/plain");
        assertThat(text(read)).isEqualTo("one\r\ntwo\r\nthree\r\nfour");
    }

    @Test
    void textAndHtmlAreAlternativesTheRicherLast() throws IOException {
        Message read = parse(Requests.mail("s", "Grüße", "<p>Grüße</p>", List.of()));

        assertThat(read.getMimeType()).isEqualTo("multipart/alternative");
        List<Entity> parts = ((Multipart) read.getBody()).getBodyParts();
        assertThat(parts).extracting(Entity::getMimeType).containsExactly("text/plain", "text/html");
        assertThat(text(parts.getFirst())).isEqualTo("Grüße");
        assertThat(text(parts.getLast())).isEqualTo("<p>Grüße</p>");
    }

    @Test
    void aMailWithoutAnythingIsEmptyText() throws IOException {
        Message read = parse(Requests.mail("s", null, null, List.of()));

        assertThat(read.getMimeType()).isEqualTo("text/plain");
        assertThat(text(read)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Hello",
                "Grüße 📬 aus 東京, und noch viel mehr Text, der auf keine Zeile passt, weil er so lang ist",
                "plain words that go on and on until the line of the header field has to be folded somewhere between",
                "=?utf-8?B?eA==?= is no encoded word",
                " leading and trailing ",
                "two  blanks",
                ""
            })
    void everySubjectComesBack(String subject) throws IOException {
        Message read = parse(Requests.mail(subject, "t", null, List.of()));

        assertThat(Objects.requireNonNullElse(read.getSubject(), "")).isEqualTo(subject);
    }

    /** RFC 2047 §2: the first line also has the name of the field. */
    @Property(tries = 300)
    void linesWithEncodedWordsHaveAtMost76Characters(@ForAll @StringLength(max = 200) String any) throws IOException {
        String subject = "ü" + any.replaceAll("[\\p{Cc}\\p{Cs}\\u2028\\u2029]", "-");

        Message read = parse(Requests.mail(subject, "t", null, List.of()));

        assertThat(read.getSubject()).isEqualTo(subject);
        assertThat(new String(octets(Requests.mail(subject, "t", null, List.of())), StandardCharsets.US_ASCII)
                        .lines()
                        .filter(line -> line.contains("=?")))
                .isNotEmpty()
                .allMatch(line -> line.length() <= 76);
    }

    @Property(tries = 300)
    void everyTextComesBackInShortLines(@ForAll @StringLength(max = 3000) String any) throws IOException {
        String text = new String(any.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        MailRequested request = Requests.mail("s", text, "x" + text, List.of());

        List<Entity> parts = parts(request);

        assertThat(text(parts.getFirst())).isEqualTo(text.replaceAll("\r\n|\r|\n", "\r\n"));
        assertThat(octets(request)).satisfies(ParsedMail::hasOnlyShortLinesOfAscii);
    }

    /** Text of which all characters have several octets grows by a third, not to three times its size. */
    @ParameterizedTest
    @CsvSource({
        "ж, base64",
        "üaaaaaaaaaa, quoted-printable",
        "üaaaaaaaaa, base64",
        "=aaaaaaaaa=, base64",
        "=aaaaaa, quoted-printable"
    })
    void textIsSentInTheShorterEncoding(String piece, String encoding) throws IOException {
        String text = piece.repeat(1000) + "\r\n\r\n";

        Message read = parse(Requests.mail("s", text, null, List.of()));

        assertThat(read.getContentTransferEncoding()).isEqualTo(encoding);
        assertThat(text(read)).isEqualTo(text);
    }

    @ParameterizedTest
    @MethodSource
    void longSubjectIsFoldedAtAnySpaces(String subject) throws IOException {
        MailRequested request = Requests.mail(subject, "text", null, List.of());

        assertThat(parse(request).getSubject()).isEqualTo(subject);
        assertThat(octets(request)).satisfies(ParsedMail::hasOnlyShortLinesOfAscii);
    }

    static List<String> longSubjectIsFoldedAtAnySpaces() {
        return List.of(
                "ab  ".repeat(249) + "ab", "ab" + " ".repeat(990) + "cd", "a".repeat(900) + " " + "b".repeat(97));
    }

    @Test
    void overlongLinesAreBrokenSoftly() throws IOException {
        String text = "a".repeat(998) + "\n" + "b".repeat(999);

        MailRequested request = Requests.mail("x".repeat(998), text, null, List.of());

        assertThat(text(parse(request))).isEqualTo(text.replace("\n", "\r\n"));
        assertThat(octets(request)).satisfies(ParsedMail::hasOnlyShortLinesOfAscii);
    }

    @Test
    void aTextThatKnowsTheBoundaryCannotEndItsPart() throws IOException {
        String text = "before\n--=_a_cejqwzabcdefghijklmnopqr--\nafter";

        List<Entity> parts = parts(Requests.mail("s", text, "<p>", List.of()));

        assertThat(parts).hasSize(2);
        assertThat(text(parts.getFirst())).isEqualTo(text.replace("\n", "\r\n"));
    }

    @Test
    void anInternationalisedDomainTravelsInALabels() {
        SmtpMail mail = composed(Requests.to("ada@例え.jp"));

        assertThat(mail.forwardPath()).isEqualTo("ada@xn--r8jz45g.jp");
        assertThat(mail.internationalized()).isFalse();
        assertThat(composed(Requests.to("ada@straße.example")).forwardPath()).isEqualTo("ada@xn--strae-oqa.example");
    }

    @ParameterizedTest
    @MethodSource("noMailboxes")
    void recipientThatIsNoMailboxIsRefused(String recipient) {
        assertThatThrownBy(() -> composed(Requests.to(recipient))).isInstanceOf(IllegalArgumentException.class);
    }

    static List<String> noMailboxes() {
        return List.of("ada", "ada@" + "\uFDFA".repeat(60), "ada@a\u200Db.example", "ada@a..faß.example");
    }
}
