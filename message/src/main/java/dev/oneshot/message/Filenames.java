package dev.oneshot.message;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Makes names that can be saved on any system, whatever the sender wrote. */
final class Filenames {

    /** What common file systems take for one name, in octets of UTF-8. */
    static final int OCTETS_MAX = 255;

    private static final int EXTENSION_CHARS_MAX = 16;

    /** Devices of Windows, with any extension. */
    private static final Pattern RESERVED =
            Pattern.compile("(?i)(con|prn|aux|nul|conin\\$|conout\\$|(com|lpt)[0-9¹²³])\\s*(\\..*)?");

    private Filenames() {}

    /** The sender's name made safe, or {@code attachment-<number>} with the extension of the type if nothing is left. */
    static String safe(String name, int number, String type) {
        String safe = safe(name);
        return safe.isEmpty() ? "attachment-" + number + FileExtensions.of(type) : safe;
    }

    /** The last element of a path, without what some system forbids in a name; empty if nothing is left. */
    static String safe(String name) {
        int slash = Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\'));
        StringBuilder safe = new StringBuilder();
        name.substring(slash + 1).codePoints().forEach(point -> {
            if (isForbidden(point)) {
                safe.append('_');
            } else if (!isInvisible(point)) {
                safe.appendCodePoint(point);
            }
        });
        String trimmed = trimmed(shortened(trimmed(safe.toString())));
        if (trimmed.startsWith(".")) {
            // A dot in front hides a file, and names of that kind steer programs: .bashrc, .htaccess.
            trimmed = "_" + trimmed.substring(1);
        }
        return RESERVED.matcher(trimmed).matches() ? shortened("_" + trimmed) : trimmed;
    }

    /** Characters that Windows forbids; a colon would name a stream of another file there. */
    private static boolean isForbidden(int point) {
        return "<>:\"|?*".indexOf(point) >= 0;
    }

    /** Characters that are nothing, or that make a name look like another one: line ends, controls, text direction. */
    private static boolean isInvisible(int point) {
        return Character.isISOControl(point)
                || (point >= 0x200E && point <= 0x200F)
                || (point >= 0x2028 && point <= 0x202E)
                || (point >= 0x2066 && point <= 0x2069)
                || point == 0xFEFF
                || point == 0x061C
                || (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE)
                || (point & 0xFFFE) == 0xFFFE;
    }

    /** Without blanks around it and dots at its end, which Windows drops, nor names that are directories. */
    private static String trimmed(String name) {
        int end = name.length();
        while (end > 0 && (name.charAt(end - 1) == '.' || Character.isWhitespace(name.charAt(end - 1)))) {
            end--;
        }
        return name.substring(0, end).strip();
    }

    /** At most {@value #OCTETS_MAX} octets, the extension kept, no character cut. */
    private static String shortened(String name) {
        int excess = name.getBytes(StandardCharsets.UTF_8).length - OCTETS_MAX;
        if (excess <= 0) {
            return name;
        }
        int dot = name.lastIndexOf('.');
        String extension = dot > 0 && name.length() - dot <= EXTENSION_CHARS_MAX ? name.substring(dot) : "";
        String stem = name.substring(0, name.length() - extension.length());
        int room = OCTETS_MAX - extension.getBytes(StandardCharsets.UTF_8).length;
        int length = 0;
        int octets = 0;
        while (length < stem.length()) {
            int point = stem.codePointAt(length);
            octets += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
            if (octets > room) {
                break;
            }
            length += Character.charCount(point);
        }
        return stem.substring(0, length) + extension;
    }
}
