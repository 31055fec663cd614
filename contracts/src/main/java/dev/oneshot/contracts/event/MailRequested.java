package dev.oneshot.contracts.event;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One mail to send, from a send-mode address. Values of header fields have no control characters, so that no value
 * can add a field or a recipient.
 *
 * @param addressId the id of the address in lower case; also the record's key
 * @param from the address itself, {@code id@domain}: reverse-path and From field
 * @param mail what the client asked to send
 * @param requestedAt when the request was accepted; the Date field
 * @param expiresAt when the address expires; the mail is not sent after that
 */
public record MailRequested(String addressId, String from, Mail mail, Instant requestedAt, Instant expiresAt)
        implements DueMail {

    /** The most attachments an event carries; a request may be bounded more narrowly. */
    public static final int ATTACHMENTS_MAX = 1000;
    /** The longest address in characters (RFC 5321 §4.5.3.1.3 less the brackets). */
    public static final int ADDRESS_CHARACTERS_MAX = 254;
    /** The longest subject in Unicode characters. */
    public static final int SUBJECT_CHARACTERS_MAX = 998;
    /** The longest filename and the longest MIME type in Unicode characters. */
    public static final int PARAMETER_CHARACTERS_MAX = 255;

    public MailRequested {
        Objects.requireNonNull(addressId, "addressId");
        FieldText.require("from", from, 1, ADDRESS_CHARACTERS_MAX);
        Objects.requireNonNull(mail, "mail");
        Objects.requireNonNull(requestedAt, "requestedAt");
        Objects.requireNonNull(expiresAt, "expiresAt");
    }

    /**
     * The content of the request.
     *
     * @param to the one recipient: forward-path and To field; may be internationalised (RFC 6531)
     * @param subject the subject, not encoded
     * @param textBody the plain text in UTF-8, or null
     * @param htmlBody the HTML in UTF-8, or null
     * @param attachments in the order of the request, at most {@link #ATTACHMENTS_MAX}
     */
    public record Mail(
            String to,
            String subject,
            @JsonProperty("textBytes") @Nullable Octets textBody,
            @JsonProperty("htmlBytes") @Nullable Octets htmlBody,
            List<Attachment> attachments) {

        public Mail {
            FieldText.require("to", to, 1, ADDRESS_CHARACTERS_MAX);
            FieldText.require("subject", subject, 0, SUBJECT_CHARACTERS_MAX);
            attachments = List.copyOf(attachments);
            if (attachments.size() > ATTACHMENTS_MAX) {
                throw new IllegalArgumentException(
                        "at most " + ATTACHMENTS_MAX + " attachments, not " + attachments.size());
            }
        }
    }

    /**
     * One file of the mail.
     *
     * @param filename without a path; any characters but control characters
     * @param contentType {@code type/subtype}, with parameters if the client gave some
     * @param content the bytes of the file
     */
    public record Attachment(
            String filename,
            String contentType,
            @JsonProperty("bytes") Octets content) {

        public Attachment {
            FieldText.require("filename", filename, 1, PARAMETER_CHARACTERS_MAX);
            FieldText.require("contentType", contentType, 1, PARAMETER_CHARACTERS_MAX);
            Objects.requireNonNull(content, "content");
        }
    }
}
