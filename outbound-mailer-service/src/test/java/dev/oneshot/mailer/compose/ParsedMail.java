package dev.oneshot.mailer.compose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.contracts.event.MailRequested;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.james.mime4j.dom.Entity;
import org.apache.james.mime4j.dom.Message;
import org.apache.james.mime4j.dom.Multipart;
import org.apache.james.mime4j.dom.SingleBody;
import org.apache.james.mime4j.message.DefaultMessageBuilder;
import org.apache.james.mime4j.stream.MimeConfig;

/** Reads composed mails with Apache Mime4j, an independent reader. */
public final class ParsedMail {

    private ParsedMail() {}

    /** An unsigned mail. */
    public static SmtpMail composed(MailRequested request) {
        return MimeComposer.compose(request, UnaryOperator.identity());
    }

    static byte[] octets(MailRequested request) throws IOException {
        return octets(composed(request));
    }

    /** A composed mail as it is sent. */
    public static byte[] octets(SmtpMail mail) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        mail.message().writeTo(out);
        return out.toByteArray();
    }

    /** The parts of a multipart. */
    static List<Entity> parts(MailRequested request) throws IOException {
        return ((Multipart) parse(request).getBody()).getBodyParts();
    }

    static Message parse(MailRequested request) throws IOException {
        DefaultMessageBuilder builder = new DefaultMessageBuilder();
        builder.setMimeEntityConfig(MimeConfig.STRICT);
        return builder.parseMessage(new ByteArrayInputStream(octets(request)));
    }

    static String text(Entity entity) throws IOException {
        return new String(bytes(entity), StandardCharsets.UTF_8);
    }

    static byte[] bytes(Entity entity) throws IOException {
        return ((SingleBody) entity.getBody()).getInputStream().readAllBytes();
    }

    static void hasOnlyShortLinesOfAscii(byte[] octets) {
        String message = new String(octets, StandardCharsets.ISO_8859_1);
        assertThat(message.chars()).allMatch(c -> c < 128);
        assertThat(message.split("\r\n", -1)).allSatisfy(line -> {
            assertThat(line).hasSizeLessThanOrEqualTo(998);
            assertThat(line).doesNotContain("\r", "\n");
        });
    }
}
