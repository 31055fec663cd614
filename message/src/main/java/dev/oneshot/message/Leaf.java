package dev.oneshot.message;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The content of a part other than a multipart: a slice of the message's octets, and its encoding.
 *
 * @param offset of the first octet, from the start of the message
 * @param length in octets, still encoded
 * @param transferEncoding how the octets are encoded (RFC 2045 §6)
 * @param charset the charset label as written, lower case; empty if none is given
 */
public record Leaf(int offset, int length, TransferEncoding transferEncoding, String charset) {

    /** All carriage returns before a line feed or the end; the look behind keeps long runs of others linear. */
    private static final Pattern RETURNS = Pattern.compile("(?<!\r)\r++(?=\n|\\z)");

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
     * As {@link #text}, for HTML. If the label decides nothing, the charset is that which the HTML names itself (RFC 6657
     * §3, WHATWG HTML): without a label, with an unknown one, or with {@code us-ascii} if there are 8-bit octets.
     */
    public String html(byte[] encodedSlice) {
        byte[] decoded = transferEncoding.decode(encodedSlice);
        boolean decides =
                !Charsets.isUndecided(charset) || (!charset.isEmpty() && Lines.isAscii(decoded, 0, decoded.length));
        String own = decides ? "" : MetaCharset.of(decoded);
        return withLineFeeds(Charsets.decode(own.isEmpty() ? charset : own, decoded, 0, decoded.length));
    }

    /**
     * Drops all carriage returns before a line feed, as programs that convert line ends twice send two. Drops those
     * at the end too, as the line feed there belongs to a delimiter.
     */
    private static String withLineFeeds(String text) {
        return RETURNS.matcher(text).replaceAll("");
    }
}
