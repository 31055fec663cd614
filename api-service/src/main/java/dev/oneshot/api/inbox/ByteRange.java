package dev.oneshot.api.inbox;

import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.error.ApiException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What of a content was asked for by {@code Range} (RFC 9110 §14.1.2): one range of bytes. Anything else in the header
 * is ignored, as the RFC allows, and the whole is sent.
 *
 * @param offset of the first octet
 * @param length at least 1
 */
record ByteRange(int offset, int length) {

    private static final Pattern ONE_RANGE = Pattern.compile("bytes=([0-9]{0,18})-([0-9]{0,18})");

    /**
     * Reads the header.
     *
     * @param contentBytes the length of the whole
     * @return empty if the whole is to be sent
     * @throws ApiException 416 if the range lies outside of the content
     */
    static Optional<ByteRange> parse(String range, int contentBytes) {
        Matcher matcher = ONE_RANGE.matcher(range);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String first = matcher.group(1);
        String last = matcher.group(2);
        if (first.isEmpty()) {
            return last.isEmpty() ? Optional.empty() : Optional.of(suffix(Long.parseLong(last), contentBytes));
        }
        long begin = Long.parseLong(first);
        long end = last.isEmpty() ? contentBytes - 1L : Math.min(Long.parseLong(last), contentBytes - 1L);
        if (!last.isEmpty() && Long.parseLong(last) < begin) {
            return Optional.empty();
        }
        if (begin >= contentBytes) {
            throw outside(contentBytes);
        }
        return Optional.of(new ByteRange((int) begin, (int) (end - begin + 1)));
    }

    private static ByteRange suffix(long wanted, int contentBytes) {
        if (wanted == 0 || contentBytes == 0) {
            throw outside(contentBytes);
        }
        int length = (int) Math.min(wanted, contentBytes);
        return new ByteRange(contentBytes - length, length);
    }

    /** The value of Content-Range (RFC 9110 §14.4). */
    String contentRange(int contentBytes) {
        return "bytes " + offset + "-" + (offset + length - 1) + "/" + contentBytes;
    }

    private static ApiException outside(int contentBytes) {
        return new ApiException(ApiError.rangeNotSatisfiable(contentBytes));
    }
}
