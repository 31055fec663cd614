package dev.oneshot.message;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A part that a person would save as a file.
 *
 * @param filename as sent, without path, control characters and line breaks; 1 to 512 characters
 * @param contentType type and subtype, lower case, without parameters
 * @param content its position and encoding in the message
 * @param sizeBytes its decoded length in bytes
 * @param contentId the identifier by which HTML refers to it (RFC 2392), decoded and without angle brackets; at most 512 characters;
 *     null if it has none
 * @param contentLocation the URL by which HTML refers to it (RFC 2557), absolute or relative, without white space; at most 2,000
 *     characters; null if it has none
 */
public record Attachment(
        String filename,
        String contentType,
        Leaf content,
        int sizeBytes,
        @Nullable String contentId,
        @Nullable String contentLocation) {

    public Attachment {
        Objects.requireNonNull(filename, "filename");
        Objects.requireNonNull(contentType, "contentType");
        Objects.requireNonNull(content, "content");
    }
}
