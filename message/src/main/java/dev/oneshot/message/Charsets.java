package dev.oneshot.message;

import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Charset labels as mail programs mean them. What is labelled with an old standard is usually written in the superset
 * of Windows, so that is what decodes it; what has no label, a wrong or an unknown one is UTF-8 if it can be, else
 * windows-1252. Needs the JDK's module jdk.charsets.
 */
final class Charsets {

    private static final Charset WINDOWS_1252 = Charset.forName("windows-1252");
    private static final Charset ISO_2022_JP = Charset.forName("x-windows-iso2022jp");

    /** Labels that say less than they seem to: the octets decide. */
    private static final Charset UNDECIDED = StandardCharsets.US_ASCII;

    private static final Map<String, String> SUPERSETS = Map.ofEntries(
            Map.entry("iso-8859-1", "windows-1252"),
            Map.entry("latin-1", "windows-1252"),
            Map.entry("iso-8859-9", "windows-1254"),
            Map.entry("iso-8859-11", "x-windows-874"),
            Map.entry("tis-620", "x-windows-874"),
            Map.entry("gb2312", "GB18030"),
            Map.entry("gbk", "GB18030"),
            Map.entry("x-gbk", "GB18030"),
            Map.entry("gb_2312-80", "GB18030"),
            Map.entry("euc-kr", "x-windows-949"),
            Map.entry("ks_c_5601", "x-windows-949"),
            Map.entry("ks_c_5601-1987", "x-windows-949"),
            Map.entry("ksc5601", "x-windows-949"),
            Map.entry("ks_c_5601-1989", "x-windows-949"),
            Map.entry("ksc_5601", "x-windows-949"),
            Map.entry("cp949", "x-windows-949"),
            Map.entry("uhc", "x-windows-949"),
            Map.entry("shift_jis", "windows-31j"),
            Map.entry("shift-jis", "windows-31j"),
            Map.entry("x-sjis", "windows-31j"),
            Map.entry("cp932", "windows-31j"),
            Map.entry("ms_kanji", "windows-31j"),
            Map.entry("iso-2022-jp", "x-windows-iso2022jp"),
            Map.entry("iso-2022-jp-ms", "x-windows-iso2022jp"),
            Map.entry("cp50220", "x-windows-iso2022jp"),
            Map.entry("cp50221", "x-windows-iso2022jp"),
            Map.entry("big5", "x-windows-950"),
            Map.entry("x-x-big5", "x-windows-950"),
            Map.entry("cp950", "x-windows-950"),
            Map.entry("iso-8859-8-i", "ISO-8859-8"),
            Map.entry("iso-8859-8-e", "ISO-8859-8"),
            Map.entry("iso-8859-6-i", "ISO-8859-6"),
            Map.entry("iso-8859-6-e", "ISO-8859-6"),
            Map.entry("macintosh", "x-MacRoman"),
            Map.entry("x-mac-roman", "x-MacRoman"),
            Map.entry("x-mac-cyrillic", "x-MacCyrillic"),
            Map.entry("utf8", "UTF-8"),
            Map.entry("utf-8mb4", "UTF-8"),
            Map.entry("unicode-1-1-utf-8", "UTF-8"),
            Map.entry("unicode", "UTF-16"));

    private static final Map<String, Charset> KNOWN = known();

    private Charsets() {}

    /** Decodes octets of that label; what no charset allows becomes U+FFFD. A byte order mark is no text. */
    static String decode(String label, byte[] octets, int from, int to) {
        String name = label.strip().toLowerCase(Locale.ROOT);
        String text = isUtf7(name)
                ? Utf7.decode(octets, from, to)
                : decode(named(name).orElse(UNDECIDED), octets, from, to);
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    private static String decode(Charset charset, byte[] octets, int from, int to) {
        return switch (charset.name()) {
            case "US-ASCII", "UTF-8" -> decodeUndecided(octets, from, to);
            case "UTF-16" -> decodeUtf16(octets, from, to);
            default -> charset.decode(ByteBuffer.wrap(octets, from, to - from)).toString();
        };
    }

    private static boolean isUtf7(String name) {
        return name.equals("utf-7")
                || name.equals("utf7")
                || name.equals("unicode-1-1-utf-7")
                || name.equals("x-utf-7");
    }

    /** The charset that decodes what has that label in lower case, if there is one. */
    static Optional<Charset> named(String label) {
        return Optional.ofNullable(KNOWN.get(label));
    }

    /**
     * Every name and alias in the JDK, and what stands for it in mail. Asked for a name it does not know, the JDK searches
     * all its providers each time, which a header full of made-up labels would turn into minutes.
     */
    private static Map<String, Charset> known() {
        Map<String, Charset> known = new HashMap<>();
        for (Charset charset : Charset.availableCharsets().values()) {
            String superset = SUPERSETS.get(charset.name().toLowerCase(Locale.ROOT));
            Charset meant = superset == null ? charset : Charset.forName(superset);
            charset.aliases().forEach(alias -> known.putIfAbsent(alias.toLowerCase(Locale.ROOT), meant));
            known.put(charset.name().toLowerCase(Locale.ROOT), meant);
        }
        SUPERSETS.forEach((label, superset) -> known.put(label, Charset.forName(superset)));
        return Map.copyOf(known);
    }

    /** UTF-8 if the octets mostly are, else windows-1252; ASCII is both. */
    private static String decodeUndecided(byte[] octets, int from, int to) {
        if (isIso2022Jp(octets, from, to)) {
            return new String(octets, from, to - from, ISO_2022_JP);
        }
        Charset charset = Utf8.isLikely(octets, from, to) ? StandardCharsets.UTF_8 : WINDOWS_1252;
        return new String(octets, from, to - from, charset);
    }

    /** Japanese mail often has no label; ASCII with the escape to JIS X 0208 in it is nothing else (RFC 1468). */
    private static boolean isIso2022Jp(byte[] octets, int from, int to) {
        boolean escape = false;
        for (int i = from; i < to; i++) {
            if (octets[i] < 0) {
                return false;
            }
            escape |= octets[i] == 0x1B
                    && i + 2 < to
                    && octets[i + 1] == '$'
                    && (octets[i + 2] == 'B' || octets[i + 2] == '@');
        }
        return escape;
    }

    /** RFC 2781 §4.3 says big-endian where there is no mark; but what looks little-endian is. */
    private static String decodeUtf16(byte[] octets, int from, int to) {
        boolean marked = to - from >= 2
                && ((octets[from] == (byte) 0xFE && octets[from + 1] == (byte) 0xFF)
                        || (octets[from] == (byte) 0xFF && octets[from + 1] == (byte) 0xFE));
        int zerosFirst = 0;
        int zerosSecond = 0;
        for (int i = from; i + 1 < to; i += 2) {
            zerosFirst += octets[i] == 0 ? 1 : 0;
            zerosSecond += octets[i + 1] == 0 ? 1 : 0;
        }
        Charset charset = StandardCharsets.UTF_16;
        if (!marked && zerosSecond > zerosFirst) {
            charset = StandardCharsets.UTF_16LE;
        }
        return new String(octets, from, to - from, charset);
    }
}
