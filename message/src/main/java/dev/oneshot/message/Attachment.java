package dev.oneshot.message;

import java.util.Objects;

/**
 * A part that a person would save as a file.
 *
 * @param filename safe to save: never a path, a control character or a line break; never empty
 * @param contentType type and subtype, lower case, without parameters
 * @param content where it lies and how it is encoded
 * @param sizeBytes its length once decoded, in octets
 */
public record Attachment(String filename, String contentType, Leaf content, int sizeBytes) {

    public Attachment {
        Objects.requireNonNull(filename, "filename");
        Objects.requireNonNull(contentType, "contentType");
        Objects.requireNonNull(content, "content");
    }
}
