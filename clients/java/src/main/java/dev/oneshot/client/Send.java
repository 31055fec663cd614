package dev.oneshot.client;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An e-mail to send: {@code Send.to("ada@example.org", "Hello").withText("It works.")}. The plan bounds its size and that of
 * each attachment.
 *
 * @param to the recipient, one e-mail address
 * @param subject at most 998 characters, may be empty
 * @param textBody the body as plain text, or null
 * @param htmlBody the body as HTML, or null
 * @param attachments at most 100
 */
public record Send(
        String to,
        String subject,
        @Nullable String textBody,
        @Nullable String htmlBody,
        List<File> attachments) {

    /** Copies the list. */
    public Send {
        attachments = List.copyOf(attachments);
    }

    /** An e-mail without a body. */
    public static Send to(String to, String subject) {
        return new Send(to, subject, null, null, List.of());
    }

    /** The same with this body as plain text. */
    public Send withText(String text) {
        return new Send(to, subject, text, htmlBody, attachments);
    }

    /** The same with this body as HTML. */
    public Send withHtml(String html) {
        return new Send(to, subject, textBody, html, attachments);
    }

    /** The same with one more attachment. */
    public Send withAttachment(String filename, String contentType, byte[] content) {
        List<File> more = new ArrayList<>(attachments);
        more.add(new File(filename, contentType, Base64.getEncoder().encodeToString(content)));
        return new Send(to, subject, textBody, htmlBody, more);
    }

    /**
     * A file to send.
     *
     * @param filename 1 to 255 characters
     * @param contentType a MIME type
     * @param contentBase64 the content in base64 (RFC 4648 §4)
     */
    public record File(String filename, String contentType, String contentBase64) {}
}
