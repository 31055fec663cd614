package dev.oneshot.message;

import java.util.Objects;

/**
 * One header field as a person reads it.
 *
 * @param name as it was written
 * @param value unfolded (RFC 5322 §2.2.3) and trimmed, encoded words decoded (RFC 2047), control characters as blanks
 */
public record HeaderField(String name, String value) {

    public HeaderField {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(value, "value");
    }
}
