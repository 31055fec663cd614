package dev.oneshot.api.sending;

import dev.oneshot.api.account.Plan;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.contracts.event.FieldText;
import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.Octets;
import dev.oneshot.message.Filenames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The member {@code send} of POST /addresses, as in the JSON. {@link #checked} checks its values. */
public record SendRequest(
        @Nullable String to,
        @Nullable String subject,
        @Nullable String textBody,
        @Nullable String htmlBody,
        @Nullable List<@Nullable Attachment> attachments) {

    /** The {@code maxItems} in {@code openapi.yaml}. */
    static final int ATTACHMENTS_MAX = 100;

    private static final int MEDIA_TYPE_CHARACTERS_MAX = 255;
    /** RFC 6838 §4.2. */
    private static final String NAME = "[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}+";

    private static final String TOKEN = "[!#$%&'*+.^_`{|}~0-9A-Za-z-]++";
    private static final String QUOTED = "\"(?:[ !#-\\[\\]-~]|\\\\[ -~])*+\"";
    private static final Pattern MEDIA_TYPE =
            Pattern.compile(NAME + "/" + NAME + "(?: *+; *+" + TOKEN + "=(?:" + TOKEN + "|" + QUOTED + "))*+");

    /** A file to send, as in the JSON. */
    public record Attachment(
            @Nullable String filename,
            @Nullable String contentType,
            @Nullable Base64Octets contentBase64) {}

    /**
     * The requested mail. Its sizes are not yet checked against the plan.
     *
     * @throws ApiException 400, naming the member that is wrong
     */
    public static MailRequested.Mail checked(@Nullable SendRequest request) {
        SendRequest send = required(request, "send");
        String to = required(send.to(), "send.to");
        if (!EmailAddress.isValid(to)) {
            throw ApiException.invalid("send.to is not a valid email address");
        }
        String subject = headerText(send.subject(), "send.subject", 0, MailRequested.SUBJECT_CHARACTERS_MAX);
        return new MailRequested.Mail(
                to, subject, utf8(send.textBody()), utf8(send.htmlBody()), attachments(send.attachments()));
    }

    /**
     * Checks the sizes against a plan: the content, bodies in UTF-8 and attachments decoded.
     *
     * @throws ApiException 422 if it is more
     */
    public static void requireWithin(Plan plan, MailRequested.Mail mail) {
        long bytes = length(mail.textBody()) + length(mail.htmlBody());
        for (int i = 0; i < mail.attachments().size(); i++) {
            int attachmentBytes = mail.attachments().get(i).content().length();
            bytes += attachmentBytes;
            if (attachmentBytes > plan.sizeClass().attachmentBytesMax()) {
                throw ApiException.unprocessable("send.attachments[" + i + "] must have at most "
                        + plan.sizeClass().attachmentBytesMax() + " bytes on the plan " + plan.name());
            }
        }
        if (bytes > plan.sizeClass().messageBytesMax()) {
            throw ApiException.unprocessable("send must have at most "
                    + plan.sizeClass().messageBytesMax() + " bytes of content on the plan " + plan.name());
        }
    }

    private static long length(@Nullable Octets octets) {
        return octets == null ? 0 : octets.length();
    }

    private static List<MailRequested.Attachment> attachments(@Nullable List<@Nullable Attachment> requested) {
        if (requested == null) {
            return List.of();
        }
        if (requested.size() > ATTACHMENTS_MAX) {
            throw ApiException.invalid("send.attachments must have at most " + ATTACHMENTS_MAX + " items");
        }
        List<MailRequested.Attachment> attachments = new ArrayList<>(requested.size());
        for (int i = 0; i < requested.size(); i++) {
            String path = "send.attachments[" + i + "]";
            attachments.add(attachment(required(requested.get(i), path), path));
        }
        return attachments;
    }

    private static MailRequested.Attachment attachment(Attachment requested, String path) {
        String filename = Filenames.of(
                headerText(requested.filename(), path + ".filename", 1, MailRequested.PARAMETER_CHARACTERS_MAX));
        if (filename.isEmpty()) {
            throw ApiException.invalid(path + ".filename must name a file, not only a directory");
        }
        String contentType = required(requested.contentType(), path + ".content_type");
        if (!isMediaType(contentType)) {
            throw ApiException.invalid(path + ".content_type is not a valid MIME type");
        }
        Octets content =
                required(requested.contentBase64(), path + ".content_base64").octets();
        return new MailRequested.Attachment(filename, contentType, content);
    }

    /** The grammar of a MIME type with its parameters (RFC 2045 §5.1), on one line. */
    static boolean isMediaType(String text) {
        return text.length() <= MEDIA_TYPE_CHARACTERS_MAX
                && MEDIA_TYPE.matcher(text).matches();
    }

    private static <T> T required(@Nullable T value, String path) {
        if (value == null) {
            throw ApiException.invalid(path + " must be given");
        }
        return value;
    }

    private static String headerText(@Nullable String given, String path, int charactersMin, int charactersMax) {
        String text = required(given, path);
        FieldText.fault(text, charactersMin, charactersMax).ifPresent(fault -> {
            throw ApiException.invalid(path + " " + fault);
        });
        return text;
    }

    private static @Nullable Octets utf8(@Nullable String text) {
        return text == null ? null : Octets.of(text.getBytes(StandardCharsets.UTF_8));
    }
}
