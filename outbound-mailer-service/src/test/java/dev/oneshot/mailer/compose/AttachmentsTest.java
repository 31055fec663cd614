package dev.oneshot.mailer.compose;

import static dev.oneshot.mailer.compose.ParsedMail.bytes;
import static dev.oneshot.mailer.compose.ParsedMail.composed;
import static dev.oneshot.mailer.compose.ParsedMail.octets;
import static dev.oneshot.mailer.compose.ParsedMail.parse;
import static dev.oneshot.mailer.compose.ParsedMail.parts;
import static dev.oneshot.mailer.compose.ParsedMail.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.Octets;
import dev.oneshot.mailer.Requests;
import dev.oneshot.message.MessageLimits;
import dev.oneshot.message.MessageReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.apache.james.mime4j.dom.Entity;
import org.apache.james.mime4j.dom.Message;
import org.apache.james.mime4j.dom.SingleBody;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Attachments of composed mails. */
class AttachmentsTest {

    @ParameterizedTest
    @ValueSource(strings = {"multipart/mixed; boundary=b", "message/partial", "message/rfc822-headers"})
    void anotherCompositeTypeTravelsAsOctetsSinceBase64IsForbiddenToIt(String type) throws IOException {
        assertThat(parts(Requests.attaching(message(type, "Subject: x\r\n\r\n"))))
                .extracting(Entity::getMimeType)
                .containsExactly("application/octet-stream");
    }

    @ParameterizedTest
    @ValueSource(strings = {"message/rfc822", "MESSAGE/RFC822; name=\"m.eml\"", "message/rfc822 ; a=b"})
    void aMessageTravelsAsAMessage(String type) throws IOException {
        String attached = """
            Subject: x
            Content-Type: multipart/mixed; boundary=b

            --b
            Content-Type: text/plain

            .dot
            --b--
            """.replace("\n", "\r\n");
        MailRequested request =
                Requests.mail("s", "t", null, List.of(message(type, attached), message(type, "S: x\r\n\r\n")));

        List<Entity> parts = parts(request);

        assertThat(parts)
                .extracting(Entity::getMimeType, Entity::getContentTransferEncoding)
                .containsExactly(
                        tuple("text/plain", "7bit"), tuple("message/rfc822", "7bit"), tuple("message/rfc822", "7bit"));
        assertThat(((Message) parts.get(1).getBody()).getSubject()).isEqualTo("x");
        assertThat(composed(request).eightBit()).isFalse();
        assertThat(read(request).getFirst()).isEqualTo(new Read("m.eml", "message/rfc822", attached));
    }

    @Test
    void aMessageWithLineFeedsGetsLineEndsOfMail() throws IOException {
        assertThat(read(Requests.attaching(message("message/rfc822", "Subject: x\n\none\r\n\ntwo"))))
                .extracting(Read::content)
                .containsExactly("Subject: x\r\n\r\none\r\n\r\ntwo");
    }

    @Test
    void aMessageOfEightBitsTravelsAsItIs() throws IOException {
        String attached = "Subject: x\r\nContent-Transfer-Encoding: 8bit\r\n\r\nGr\u00FC\u00DFe\r\n";
        MailRequested request = Requests.attaching(message("message/rfc822", attached));

        assertThat(composed(request).eightBit()).isTrue();
        assertThat(parse(request).getContentTransferEncoding()).isEqualTo("8bit");
        assertThat(parts(request))
                .extracting(Entity::getMimeType, Entity::getContentTransferEncoding)
                .containsExactly(tuple("message/rfc822", "8bit"));
        assertThat(read(request)).extracting(Read::content).containsExactly(attached);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x\r\n\r\na\rb", "x\r\r\n", "x\r\n\r\n\r", "x\r\n\r\na\0b"})
    void aMessageThatSmtpCannotCarryTravelsAsOctets(String attached) throws IOException {
        assertTravelsAs("application/octet-stream", attached);
    }

    @Test
    void aMessageWithTheLongestLineTravelsAsAMessageAndOneWithALongerLineAsOctets() throws IOException {
        assertTravelsAs("message/rfc822", "S: x\r\n\r\n" + "a".repeat(998) + "\r\n");
        assertTravelsAs("application/octet-stream", "S: x\r\n\r\n" + "a".repeat(999) + "\r\n");
    }

    private static void assertTravelsAs(String type, String attached) throws IOException {
        MailRequested request = Requests.attaching(message("message/rfc822", attached));

        Entity part = parts(request).getFirst();

        assertThat(part.getMimeType()).isEqualTo(type);
        if (part.getBody() instanceof SingleBody) {
            assertThat(text(part)).isEqualTo(attached);
        }
        assertThat(octets(request)).satisfies(ParsedMail::hasOnlyShortLinesOfAscii);
    }

    /** The project's reader leaves out what looks like a path. */
    @ParameterizedTest
    @CsvFileSource(resources = "/filenames.txt", delimiter = '|', quoteCharacter = '`')
    void aFilenameArrivesAsItWasSent(String filename) throws IOException {
        MailRequested request = Requests.attaching(file(filename, new byte[1]));

        assertThat(parts(request)).extracting(Entity::getFilename).containsExactly(filename);
        assertThat(read(request))
                .extracting(Read::filename)
                .containsExactly(filename.substring(filename.lastIndexOf('\\') + 1));
    }

    /** As {@code name} too, for programs that read no extended form. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "plain.txt | name=\"plain.txt\" | filename=\"plain.txt\"",
                "a \"b\\.txt | name=\"a \\\"b\\\\.txt\" | filename=\"a \\\"b\\\\.txt\"",
                "100%.txt | name=\"100%.txt\" | filename*=utf-8''100%25.txt",
                "Ü.pdf | name=\"=?utf-8?B?w5wucGRm?=\" | filename*=utf-8''%C3%9C.pdf",
                "=?x | name=\"=?utf-8?B?PT94?=\" | filename*=utf-8''%3D%3Fx"
            })
    void aFilenameIsInBothFields(String filename, String name, String parameter) throws IOException {
        assertThat(new String(octets(Requests.attaching(file(filename, new byte[1]))), StandardCharsets.US_ASCII))
                .contains(
                        "Content-Type: application/pdf;\r\n " + name + "\r\n",
                        "Content-Disposition: attachment;\r\n " + parameter + "\r\n");
    }

    @Test
    void theLongestNameOfAsciiIsOneString() throws IOException {
        String filename = "\"".repeat(251) + ".txt";
        String quoted = "\\\"".repeat(251) + ".txt";
        MailRequested request = Requests.attaching(file(filename, new byte[1]));

        assertThat(new String(octets(request), StandardCharsets.US_ASCII))
                .contains(" name=\"" + quoted + "\"\r\n", " filename=\"" + quoted + "\"\r\n");
        assertThat(octets(request)).satisfies(ParsedMail::hasOnlyShortLinesOfAscii);
    }

    @Test
    void aNameThatTheTypeHasIsKept() throws IOException {
        MailRequested request = Requests.attaching(
                new MailRequested.Attachment("b.pdf", "application/pdf; NAME=a.pdf", Octets.of(new byte[1])));

        assertThat(new String(octets(request), StandardCharsets.US_ASCII))
                .contains("Content-Type: application/pdf; NAME=a.pdf\r\n");
    }

    /** The project's reader decodes it. */
    @Test
    void aFilenameLikeAnEncodedWordTravelsAsItIs() throws IOException {
        assertThat(parts(Requests.attaching(file("=?utf-8?B?eA==?=", new byte[1]))))
                .extracting(Entity::getFilename)
                .containsExactly("=?utf-8?B?eA==?=");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 56, 57, 58, 100_000})
    void anAttachmentComesBackWhateverItsLength(int octets) throws IOException {
        byte[] content = new byte[octets];
        new Random(octets).nextBytes(content);
        MailRequested request = Requests.mail("s", "t", null, List.of(file("a.bin", content)));

        assertThat(bytes(parts(request).get(1))).isEqualTo(content);
        assertThat(new String(octets(request), StandardCharsets.US_ASCII).lines())
                .allMatch(line -> line.length() <= 76 || !line.matches("[A-Za-z0-9+/=]+"));
    }

    @Test
    void attachmentsFollowTheAlternatives() throws IOException {
        MailRequested request =
                Requests.mail("s", "t", "<p>", List.of(file("a.bin", new byte[200_000]), file("b", new byte[0])));

        List<Entity> parts = parts(request);

        assertThat(parse(request).getMimeType()).isEqualTo("multipart/mixed");
        assertThat(parts)
                .extracting(Entity::getMimeType, Entity::getDispositionType)
                .containsExactly(
                        tuple("multipart/alternative", null),
                        tuple("application/pdf", "attachment"),
                        tuple("application/pdf", "attachment"));
        assertThat(bytes(parts.get(1))).hasSize(200_000).containsOnly(0);
        assertThat(bytes(parts.get(2))).isEmpty();
    }

    @Test
    void aMailOfAttachmentsAloneHasNoText() throws IOException {
        assertThat(parts(Requests.attaching(file("a.bin", new byte[3]))))
                .extracting(Entity::getMimeType)
                .containsExactly("application/pdf");
    }

    private static MailRequested.Attachment message(String type, String content) {
        return new MailRequested.Attachment("m.eml", type, Octets.of(content.getBytes(StandardCharsets.UTF_8)));
    }

    private static MailRequested.Attachment file(String filename, byte[] content) {
        return new MailRequested.Attachment(filename, "application/pdf", Octets.of(content));
    }

    /** An attachment as the project's own reader finds it. */
    private record Read(String filename, String contentType, String content) {}

    private static List<Read> read(MailRequested request) throws IOException {
        byte[] message = octets(request);
        return MessageReader.read(message, 0, message.length, MessageLimits.DEFAULTS).attachments().stream()
                .map(file -> new Read(
                        file.filename(),
                        file.contentType(),
                        new String(
                                message, file.content().offset(), file.content().length(), StandardCharsets.UTF_8)))
                .toList();
    }
}
