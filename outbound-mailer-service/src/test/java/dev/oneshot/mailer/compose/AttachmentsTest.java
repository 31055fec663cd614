package dev.oneshot.mailer.compose;

import static dev.oneshot.mailer.compose.ParsedMail.bytes;
import static dev.oneshot.mailer.compose.ParsedMail.octets;
import static dev.oneshot.mailer.compose.ParsedMail.parse;
import static dev.oneshot.mailer.compose.ParsedMail.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.Octets;
import dev.oneshot.mailer.Requests;
import dev.oneshot.message.Attachment;
import dev.oneshot.message.MessageLimits;
import dev.oneshot.message.MessageReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.apache.james.mime4j.dom.Entity;
import org.apache.james.mime4j.dom.Message;
import org.apache.james.mime4j.dom.Multipart;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attachments of composed mails. */
class AttachmentsTest {

    @ParameterizedTest
    @ValueSource(strings = {"multipart/mixed; boundary=b", "message/partial", "message/rfc822-headers"})
    void anotherCompositeTypeTravelsAsOctetsSinceBase64IsForbiddenToIt(String type) throws IOException {
        Message read = parse(Requests.mail("s", null, null, List.of(message(type, "Subject: x\r\n\r\n"))));

        assertThat(((Multipart) read.getBody()).getBodyParts())
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

        List<Entity> parts = ((Multipart) parse(request).getBody()).getBodyParts();

        assertThat(parts)
                .extracting(Entity::getMimeType)
                .containsExactly("text/plain", "message/rfc822", "message/rfc822");
        assertThat(parts).extracting(Entity::getContentTransferEncoding).containsOnly("7bit");
        assertThat(((Message) parts.get(1).getBody()).getSubject()).isEqualTo("x");
        assertThat(MimeComposer.compose(request).eightBit()).isFalse();
        assertThat(readByOurselves(octets(request))).first().satisfies(file -> {
            assertThat(file.contentType()).isEqualTo("message/rfc822");
            assertThat(file.filename()).isEqualTo("m.eml");
            assertThat(slice(octets(request), file)).isEqualTo(attached);
        });
    }

    @Test
    void aMessageWithLineFeedsGetsLineEndsOfMail() throws IOException {
        MailRequested request =
                Requests.mail("s", null, null, List.of(message("message/rfc822", "Subject: x\n\none\r\n\ntwo")));

        assertThat(readByOurselves(octets(request)))
                .singleElement()
                .satisfies(
                        file -> assertThat(slice(octets(request), file)).isEqualTo("Subject: x\r\n\r\none\r\n\r\ntwo"));
    }

    @Test
    void aMessageOfEightBitsTravelsAsItIs() throws IOException {
        String attached = "Subject: x\r\nContent-Transfer-Encoding: 8bit\r\n\r\nGr\u00FC\u00DFe\r\n";
        MailRequested request = Requests.mail("s", null, null, List.of(message("message/rfc822", attached)));
        ComposedMail mail = MimeComposer.compose(request);

        assertThat(mail.eightBit()).isTrue();
        Message read = parse(octets(mail));
        assertThat(read.getContentTransferEncoding()).isEqualTo("8bit");
        assertThat(((Multipart) read.getBody()).getBodyParts())
                .extracting(Entity::getMimeType, Entity::getContentTransferEncoding)
                .containsExactly(tuple("message/rfc822", "8bit"));
        assertThat(readByOurselves(octets(mail)))
                .singleElement()
                .satisfies(file -> assertThat(slice(octets(mail), file)).isEqualTo(attached));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Subject: x\r\n\r\na\rb",
                "Subject: x\r\r\n",
                "Subject: x\r\n\r\n\r",
                "Subject: x\r\n\r\na\0b",
                "999"
            })
    void aMessageThatSmtpCannotCarryTravelsAsOctets(String text) throws IOException {
        String attached = text.equals("999") ? "Subject: x\r\n\r\n" + "a".repeat(999) + "\r\n" : text;
        MailRequested request = Requests.mail("s", null, null, List.of(message("message/rfc822", attached)));

        List<Entity> parts = ((Multipart) parse(request).getBody()).getBodyParts();

        assertThat(parts).extracting(Entity::getMimeType).containsExactly("application/octet-stream");
        assertThat(text(parts.getFirst())).isEqualTo(attached);
        assertThat(octets(request)).satisfies(ParsedMail::hasOnlyShortLinesOfAscii);
    }

    @Test
    void aMessageWithTheLongestLineTravelsAsAMessage() throws IOException {
        MailRequested request = Requests.mail(
                "s", null, null, List.of(message("message/rfc822", "S: x\r\n\r\n" + "a".repeat(998) + "\r\n")));

        assertThat(((Multipart) parse(request).getBody()).getBodyParts())
                .extracting(Entity::getMimeType)
                .containsExactly("message/rfc822");
        assertThat(octets(request)).satisfies(ParsedMail::hasOnlyShortLinesOfAscii);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain.txt",
                "with \"quotes\" and \\.txt",
                "say \"hi\".txt",
                "Re: email with sign.eml",
                "a?b",
                "100% 'sure'.txt",
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
            strings = {"say \"hi\".txt", "Re: email with sign.eml", "a?b", "100% 'sure'.txt", "日本語.pdf", ".profile"})
    void aFilenameArrivesAsItWasSent(String filename) throws IOException {
        assertThat(readByOurselves(octets(Requests.mail("s", null, null, List.of(file(filename, new byte[1]))))))
                .extracting(Attachment::filename)
                .containsExactly(filename);
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

    @Test
    void aMailOfAttachmentsAloneHasNoText() throws IOException {
        Message read = parse(Requests.mail("s", null, null, List.of(file("a.bin", new byte[3]))));

        assertThat(((Multipart) read.getBody()).getBodyParts())
                .extracting(Entity::getMimeType)
                .containsExactly("application/pdf");
    }

    private static MailRequested.Attachment message(String type, String content) {
        return new MailRequested.Attachment("m.eml", type, Octets.of(content.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<Attachment> readByOurselves(byte[] message) {
        return MessageReader.read(message, 0, message.length, MessageLimits.DEFAULTS)
                .attachments();
    }

    private static String slice(byte[] message, Attachment file) {
        return new String(message, file.content().offset(), file.content().length(), StandardCharsets.UTF_8);
    }

    private static MailRequested.Attachment file(String filename, byte[] content) {
        return new MailRequested.Attachment(filename, "application/pdf", Octets.of(content));
    }
}
