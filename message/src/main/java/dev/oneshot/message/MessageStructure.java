package dev.oneshot.message;

import java.util.List;
import java.util.Objects;

/**
 * What was found in a message, by offsets into its octets.
 *
 * @param headers the header fields of the message, top first, as {@link HeaderField}s
 * @param from the addr-spec of the first mailbox in the From field, its domain in lower case; empty if there is none
 * @param subject the decoded Subject, unfolded; empty if there is none
 * @param text the leaves that together are the plain text body, in order; where a mail has neither plain text nor HTML,
 *     its texts of other types, which are attachments else
 * @param html the leaves that together are the HTML body, in order
 * @param attachments in message order
 * @param complete false if a bound (parts, depth, header fields) was reached and the rest is readable as raw only
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

    /** The length of the largest attachment once decoded, in octets; 0 if there is none. */
    public int largestAttachmentBytes() {
        return attachments.stream().mapToInt(Attachment::sizeBytes).max().orElse(0);
    }
}
