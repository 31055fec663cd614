package dev.oneshot.message;

import java.util.Objects;

/**
 * The content of a part other than a multipart: a slice of the message's octets, and its encoding.
 *
 * @param offset of the first octet, from the start of the message
 * @param length in octets, still encoded
 * @param transferEncoding how the octets are encoded (RFC 2045 §6)
 * @param charset the charset label as written, lower case; empty if none is given
 */
public record Leaf(int offset, int length, TransferEncoding transferEncoding, String charset) {

    public Leaf {
        Objects.requireNonNull(transferEncoding, "transferEncoding");
        Objects.requireNonNull(charset, "charset");
        if (offset < 0 || length < 0) {
            throw new IllegalArgumentException("a leaf lies inside its message");
        }
    }

    /**
     * The leaf as text: transfer encoding and charset decoded, line ends as LF, without byte order mark. A lone CR is
     * kept, except at the end. Malformed octets become U+FFFD.
     *
     * @param encodedSlice the {@link #length} octets at {@link #offset}
     */
    public String text(byte[] encodedSlice) {
        byte[] decoded = transferEncoding.decode(encodedSlice);
        return withLineFeeds(Charsets.decode(charset, decoded, 0, decoded.length));
    }

    /**
     * Drops all carriage returns before a line feed, as programs that convert line ends twice send two. Drops those
     * at the end too, as the line feed there belongs to a delimiter.
     */
    private static String withLineFeeds(String text) {
        if (text.indexOf('\r') < 0) {
            return text;
        }
        StringBuilder lines = new StringBuilder(text.length());
        int returns = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\r') {
                returns++;
            } else {
                if (c != '\n') {
                    lines.repeat('\r', returns);
                }
                returns = 0;
                lines.append(c);
            }
        }
        return lines.toString();
    }
}
