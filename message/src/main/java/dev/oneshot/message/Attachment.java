package dev.oneshot.message;

import java.util.Objects;

/**
 * A part that a person would save as a file.
 *
 * @param filename as sent, less a path, control characters and line breaks; never empty, at most 255 characters
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
