package dev.oneshot.api.sending;

import dev.oneshot.api.error.ApiException;
import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.Octets;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** From what a client asked for to a mail, or to the first thing that is wrong with it, by its path in the body. */
final class SendChecks {

    private final int attachmentsMax;

    /** @param attachmentsMax the most attachments */
    SendChecks(int attachmentsMax) {
        this.attachmentsMax = attachmentsMax;
    }

    /** @throws ApiException 400, naming the member that is wrong */
    OutgoingMail check(@Nullable SendRequest request) {
        SendRequest send = required(request, "send");
        String to = required(send.to(), "send.to");
        if (!Mailbox.isValid(to)) {
            throw ApiException.invalid("send.to is not a valid email address");
        }
        String subject = headerText(
                required(send.subject(), "send.subject"), "send.subject", 0, MailRequested.SUBJECT_CHARACTERS_MAX);
        return new OutgoingMail(
                to,
                subject,
                utf8(send.textBody(), "send.text_body"),
                utf8(send.htmlBody(), "send.html_body"),
                attachments(send.attachments()));
    }

    private List<MailRequested.Attachment> attachments(@Nullable List<@Nullable SendAttachment> requested) {
        if (requested == null) {
            return List.of();
        }
        if (requested.size() > attachmentsMax) {
            throw ApiException.invalid("send.attachments must have at most " + attachmentsMax + " items");
        }
        List<MailRequested.Attachment> attachments = new ArrayList<>(requested.size());
        for (int i = 0; i < requested.size(); i++) {
            String path = "send.attachments[" + i + "]";
            attachments.add(attachment(required(requested.get(i), path), path));
        }
        return attachments;
    }

    private static MailRequested.Attachment attachment(SendAttachment requested, String path) {
        String filename = headerText(
                required(requested.filename(), path + ".filename"),
                path + ".filename",
                1,
                MailRequested.PARAMETER_CHARACTERS_MAX);
        String contentType = required(requested.contentType(), path + ".content_type");
        if (!MediaType.isValid(contentType)) {
            throw ApiException.invalid(path + ".content_type is not a valid MIME type");
        }
        Octets content =
                required(requested.contentBase64(), path + ".content_base64").octets();
        return new MailRequested.Attachment(filename, contentType, content);
    }

    private static <T> T required(@Nullable T value, String path) {
        if (value == null) {
            throw ApiException.invalid(path + " must be given");
        }
        return value;
    }

    private static String headerText(String text, String path, int charactersMin, int charactersMax) {
        if (text.length() < charactersMin || text.length() > charactersMax) {
            throw ApiException.invalid(
                    path + " must have between " + charactersMin + " and " + charactersMax + " characters");
        }
        boolean unsafe = text.codePoints()
                .anyMatch(c -> Character.isISOControl(c)
                        || Character.getType(c) == Character.SURROGATE
                        || Character.getType(c) == Character.LINE_SEPARATOR
                        || Character.getType(c) == Character.PARAGRAPH_SEPARATOR);
        if (unsafe) {
            throw ApiException.invalid(path + " must not have control characters or line breaks");
        }
        return text;
    }

    private static @Nullable Octets utf8(@Nullable String text, String path) {
        if (text == null) {
            return null;
        }
        if (hasLoneSurrogate(text)) {
            throw ApiException.invalid(path + " has half a surrogate pair");
        }
        return Octets.of(text.getBytes(StandardCharsets.UTF_8));
    }

    private static boolean hasLoneSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (!Character.isSurrogatePair(text.charAt(i), i + 1 < text.length() ? text.charAt(i + 1) : ' ')) {
                    return true;
                }
                i++;
            }
        }
        return false;
    }
}
