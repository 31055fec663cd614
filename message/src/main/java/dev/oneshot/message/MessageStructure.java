package dev.oneshot.message;

import java.util.List;
import java.util.Objects;

/**
 * The structure of a message, as offsets into its octets.
 *
 * @param headers the header fields of the message in their order
 * @param from the addr-spec of the first mailbox in the From field, its domain in lower case; a local part alone if no
 *     mailbox has a domain; empty if there is none
 * @param subject the decoded Subject, unfolded; empty if there is none
 * @param text the leaves of the plain text body, in order; texts of other types if the mail has neither plain text
 *     nor HTML
 * @param html the leaves of the HTML body, in order
 * @param attachments the attachments in message order
 * @param complete false if a bound (parts, depth, header fields) was reached, so that only the raw message has the
 *     rest
 */
public record MessageStructure(
        List<HeaderField> headers,
        String from,
        String subject,
        List<Leaf> text,
        List<Leaf> html,
        List<Attachment> attachments,
        boolean complete) {

    public MessageStructure {
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(subject, "subject");
        headers = List.copyOf(headers);
        text = List.copyOf(text);
        html = List.copyOf(html);
        attachments = List.copyOf(attachments);
    }

    /** The decoded length of the largest attachment in bytes; 0 if there is none. */
    public int largestAttachmentBytes() {
        return attachments.stream().mapToInt(Attachment::sizeBytes).max().orElse(0);
    }
}
