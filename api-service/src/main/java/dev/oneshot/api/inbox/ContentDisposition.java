package dev.oneshot.api.inbox;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** The header Content-Disposition of a download (RFC 6266), its file name in UTF-8 where it needs to be (RFC 8187). */
final class ContentDisposition {

    private static final String ATTR_CHAR_OTHERS = "!#$&+-.^_`|~";
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private ContentDisposition() {}

    /** The value for this file name, which has no control characters. */
    static String attachment(String filename) {
        String fallback = fallback(filename);
        String plain = "attachment; filename=\"" + fallback + "\"";
        return fallback.equals(filename) ? plain : plain + "; filename*=UTF-8''" + extended(filename);
    }

    /** For clients without RFC 6266: without characters that some read as an escape. */
    private static String fallback(String filename) {
        StringBuilder fallback = new StringBuilder(filename.length());
        filename.codePoints().forEach(c -> {
            boolean plain = c >= ' ' && c < 0x7F && c != '"' && c != '\\' && c != '%';
            fallback.append(plain ? (char) c : '_');
        });
        return fallback.toString();
    }

    private static String extended(String filename) {
        StringBuilder extended = new StringBuilder(filename.length() * 3);
        for (byte octet : filename.getBytes(StandardCharsets.UTF_8)) {
            if (isAttrChar(octet)) {
                extended.append((char) octet);
            } else {
                extended.append('%').append(HEX.toHexDigits(octet));
            }
        }
        return extended.toString();
    }

    private static boolean isAttrChar(byte octet) {
        return (octet >= '0' && octet <= '9')
                || (octet >= 'A' && octet <= 'Z')
                || (octet >= 'a' && octet <= 'z')
                || ATTR_CHAR_OTHERS.indexOf(octet) >= 0;
    }
}
