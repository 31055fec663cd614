package dev.oneshot.mailer.compose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.Octets;
import dev.oneshot.mailer.Requests;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.apache.james.mime4j.dom.Entity;
import org.apache.james.mime4j.dom.Message;
import org.apache.james.mime4j.dom.Multipart;
import org.apache.james.mime4j.dom.SingleBody;
import org.apache.james.mime4j.message.DefaultMessageBuilder;
import org.apache.james.mime4j.stream.MimeConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Read back by Apache Mime4j, which knows nothing of us. */
class MimeComposerTest {

    @Test
    void theHeaderSaysWhoWhenAndThatNobodyTypedIt() throws IOException {
        Message read = parse(Requests.mail("Hello", "Hi\n", null, List.of()));

        assertThat(read.getFrom().getFirst().getAddress()).isEqualTo("cejqwzabcdefghijklmnopqr@out.example.org");
        assertThat(read.getTo().flatten().getFirst().getAddress()).isEqualTo("ada@example.org");
        assertThat(read.getMessageId()).isEqualTo("<cejqwzabcdefghijklmnopqr@out.example.org>");
        assertThat(read.getDate()).isEqualTo(Requests.REQUESTED_AT.minusMillis(500));
        assertThat(read.getHeader().getField("Auto-Submitted").getBody()).isEqualTo("auto-generated");
        assertThat(read.getHeader().getField("MIME-Version").getBody()).isEqualTo("1.0");
    }

    @Test
    void theSameRequestIsTheSameOctets() throws IOException {
        MailRequested request = Requests.mail("Grüße", "text", "<p>", List.of(file("a.bin", new byte[100])));

        assertThat(octets(request)).isEqualTo(octets(request));
    }

    @Test
    void aTextAloneIsTheWholeBody() throws IOException {
        Message read = parse(Requests.mail("s", "one\ntwo\r\nthree\rfour", null, List.of()));

        assertThat(read.getMimeType()).isEqualTo("text/plain");
        assertThat(text(read)).isEqualTo("one\r\ntwo\r\nthree\r\nfour\r\n");
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
    void attachmentsFollowTheAlternatives() throws IOException {
        byte[] content = new byte[200_000];
        new Random(1).nextBytes(content);

        Message read = parse(Requests.mail("s", "t", "<p>", List.of(file("a.bin", content), file("b", new byte[0]))));

        assertThat(read.getMimeType()).isEqualTo("multipart/mixed");
        List<Entity> parts = ((Multipart) read.getBody()).getBodyParts();
        assertThat(parts)
                .extracting(Entity::getMimeType)
                .containsExactly("multipart/alternative", "application/pdf", "application/pdf");
        assertThat(bytes(parts.get(1))).isEqualTo(content);
        assertThat(bytes(parts.get(2))).isEmpty();
        assertThat(parts.get(1).getDispositionType()).isEqualTo("attachment");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, FilePart.PIECE_OCTETS - 1, FilePart.PIECE_OCTETS, FilePart.PIECE_OCTETS + 1})
    void anAttachmentComesBackWhateverItsLength(int octets) throws IOException {
        byte[] content = new byte[octets];
        new Random(octets).nextBytes(content);
        MailRequested request = Requests.mail("s", "t", null, List.of(file("a.bin", content)));

        List<Entity> parts = ((Multipart) parse(request).getBody()).getBodyParts();

        assertThat(bytes(parts.get(1))).isEqualTo(content);
        assertThat(new String(octets(request), StandardCharsets.US_ASCII).lines())
                .allMatch(line -> line.length() <= 76 || !line.matches("[A-Za-z0-9+/=]+"));
    }

    @Test
    void aMailOfAttachmentsAloneHasNoText() throws IOException {
        Message read = parse(Requests.mail("s", null, null, List.of(file("a.bin", new byte[3]))));

        assertThat(((Multipart) read.getBody()).getBodyParts())
                .extracting(Entity::getMimeType)
                .containsExactly("application/pdf");
    }

    @Test
    void aMailWithoutAnythingIsEmptyText() throws IOException {
        Message read = parse(Requests.mail("s", null, null, List.of()));

        assertThat(read.getMimeType()).isEqualTo("text/plain");
        assertThat(text(read)).isEmpty();
    }

    @Test
    void aCompositeTypeTravelsAsOctetsSinceBase64IsForbiddenToIt() throws IOException {
        Message read = parse(Requests.mail(
                "s",
                null,
                null,
                List.of(new MailRequested.Attachment(
                        "m.eml",
                        "message/rfc822",
                        Octets.of("Subject: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII))))));

        assertThat(((Multipart) read.getBody()).getBodyParts())
                .extracting(Entity::getMimeType)
                .containsExactly("application/octet-stream");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain.txt",
                "with \"quotes\" and \\.txt",
                "日本語のファイル名です.pdf",
                "a-very-long-name-that-does-not-fit-into-one-line-of-a-header-field-of-a-mail.tar.gz",
                "=?utf-8?B?eA==?=",
                "semi;colon='%41'.txt",
                "🙂"
            })
    void everyFilenameComesBack(String filename) throws IOException {
        Message read = parse(Requests.mail("s", null, null, List.of(file(filename, new byte[1]))));

        assertThat(((Multipart) read.getBody()).getBodyParts().getFirst().getFilename())
                .isEqualTo(filename);
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

    /** RFC 2047 §2: the first line has the name of the field, too. */
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

        List<Entity> parts = ((Multipart) parse(request).getBody()).getBodyParts();

        assertThat(text(parts.getFirst())).isEqualTo(text.replaceAll("\r\n|\r|\n", "\r\n"));
        assertThat(octets(request)).satisfies(MimeComposerTest::hasOnlyShortLinesOfAscii);
    }

    @Test
    void overlongLinesAreBrokenSoftly() throws IOException {
        String text = "a".repeat(998) + "\n" + "b".repeat(999);

        MailRequested request = Requests.mail("x".repeat(998), text, null, List.of());

        assertThat(text(parse(request))).isEqualTo(text.replace("\n", "\r\n") + "\r\n");
        assertThat(octets(request)).satisfies(MimeComposerTest::hasOnlyShortLinesOfAscii);
    }

    @Test
    void aTextThatKnowsTheBoundaryCannotEndItsPart() throws IOException {
        String text = "before\n--=_a_cejqwzabcdefghijklmnopqr--\nafter";

        List<Entity> parts =
                ((Multipart) parse(Requests.mail("s", text, "<p>", List.of())).getBody()).getBodyParts();

        assertThat(parts).hasSize(2);
        assertThat(text(parts.getFirst())).isEqualTo(text.replace("\n", "\r\n"));
    }

    @Test
    void anInternationalisedDomainTravelsInALabels() {
        ComposedMail mail = MimeComposer.compose(Requests.to("ada@例え.jp"));

        assertThat(mail.forwardPath()).isEqualTo("ada@xn--r8jz45g.jp");
        assertThat(mail.internationalized()).isFalse();
    }

    @Test
    void anInternationalisedLocalPartNeedsARelayThatKnowsIt() {
        assertThat(MimeComposer.compose(Requests.to("用户@example.org")).internationalized())
                .isTrue();
    }

    @Test
    void aRecipientThatIsNoMailboxIsRefused() {
        assertThatThrownBy(() -> MimeComposer.compose(Requests.to("nobody")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static MailRequested.Attachment file(String filename, byte[] content) {
        return new MailRequested.Attachment(filename, "application/pdf", Octets.of(content));
    }

    private static byte[] octets(MailRequested request) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        MimeComposer.compose(request).writeTo(out);
        return out.toByteArray();
    }

    private static Message parse(MailRequested request) throws IOException {
        DefaultMessageBuilder builder = new DefaultMessageBuilder();
        builder.setMimeEntityConfig(MimeConfig.STRICT);
        return builder.parseMessage(new ByteArrayInputStream(octets(request)));
    }

    private static String text(Entity entity) throws IOException {
        return new String(bytes(entity), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(Entity entity) throws IOException {
        return ((SingleBody) entity.getBody()).getInputStream().readAllBytes();
    }

    private static void hasOnlyShortLinesOfAscii(byte[] octets) {
        String message = new String(octets, StandardCharsets.ISO_8859_1);
        assertThat(message.chars()).allMatch(c -> c < 128);
        assertThat(message.split("\r\n", -1)).allSatisfy(line -> {
            assertThat(line).hasSizeLessThanOrEqualTo(998);
            assertThat(line).doesNotContain("\r", "\n");
        });
    }
}
