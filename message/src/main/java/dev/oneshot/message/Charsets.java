package dev.oneshot.message;

import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Charset labels as mail programs mean them. Text with the label of an old standard is usually written in its Windows
 * superset, which decodes it. Text with a missing, wrong or unknown label is UTF-8 if it is well formed, else
 * windows-1252. Needs the JDK's module jdk.charsets.
 */
final class Charsets {

    private static final Charset WINDOWS_1252 = Charset.forName("windows-1252");
    private static final Charset ISO_2022_JP = Charset.forName("x-windows-iso2022jp");

    /** Labels that are often wrong: the octets decide. */
    private static final Charset UNDECIDED = StandardCharsets.US_ASCII;

    private static final Map<String, String> SUPERSETS = Map.ofEntries(
            Map.entry("iso-8859-1", "windows-1252"),
            Map.entry("latin-1", "windows-1252"),
            Map.entry("iso-8859-9", "windows-1254"),
            Map.entry("iso-8859-11", "x-windows-874"),
            Map.entry("x-iso-8859-11", "x-windows-874"),
            Map.entry("dos-874", "x-windows-874"),
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
            Map.entry("chinese", "GB18030"),
            Map.entry("csgb2312", "GB18030"),
            Map.entry("csiso58gb231280", "GB18030"),
            Map.entry("iso-ir-58", "GB18030"),
            Map.entry("ms936", "GB18030"),
            Map.entry("936", "GB18030"),
            Map.entry("gb18030-2000", "GB18030"),
            Map.entry("cn-big5", "x-windows-950"),
            Map.entry("big5-tw", "x-windows-950"),
            Map.entry("korean", "x-windows-949"),
            Map.entry("csksc56011987", "x-windows-949"),
            Map.entry("iso-ir-149", "x-windows-949"),
            Map.entry("949", "x-windows-949"),
            Map.entry("x-ms-cp932", "windows-31j"),
            Map.entry("s-jis", "windows-31j"),
            Map.entry("iso-2022-jp-1", "x-windows-iso2022jp"),
            Map.entry("euc-jp", "x-eucJP-Open"),
            Map.entry("ujis", "x-eucJP-Open"),
            Map.entry("csiso88596e", "ISO-8859-6"),
            Map.entry("csiso88596i", "ISO-8859-6"),
            Map.entry("csiso88598e", "ISO-8859-8"),
            Map.entry("csiso88598i", "ISO-8859-8"),
            Map.entry("visual", "ISO-8859-8"),
            Map.entry("logical", "ISO-8859-8"),
            Map.entry("latin10", "ISO-8859-16"),
            Map.entry("koi", "KOI8-R"),
            Map.entry("koi8", "KOI8-R"),
            Map.entry("koi8-ru", "KOI8-U"),
            Map.entry("cp1361", "x-Johab"),
            Map.entry("mac", "x-MacRoman"),
            Map.entry("csmacintosh", "x-MacRoman"),
            Map.entry("x-mac-ukrainian", "x-MacUkraine"),
            Map.entry("x-mac-ce", "x-MacCentralEurope"),
            Map.entry("mac-latin2", "x-MacCentralEurope"),
            Map.entry("ms-ansi", "windows-1252"),
            Map.entry("x-ansi", "windows-1252"),
            Map.entry("iso8859", "windows-1252"),
            Map.entry("utf8", "UTF-8"),
            Map.entry("utf", "UTF-8"),
            Map.entry("u8", "UTF-8"),
            Map.entry("cp65001", "UTF-8"),
            Map.entry("utf-8mb4", "UTF-8"),
            Map.entry("unicode-1-1-utf-8", "UTF-8"),
            Map.entry("unicode11utf8", "UTF-8"),
            Map.entry("unicode20utf8", "UTF-8"),
            Map.entry("unicodefffe", "UTF-16BE"),
            Map.entry("unicodefeff", "UTF-16"),
            Map.entry("csunicode", "UTF-16"),
            Map.entry("ucs-2", "UTF-16"),
            Map.entry("iso-10646-ucs-2", "UTF-16"),
            Map.entry("unicode", "UTF-16"));

    /** By label reduced to letters and digits, as programs differ in the rest. */
    private static final Map<String, Charset> KNOWN = known();

    /** Labels that the JDK does not know. */
    private static final Map<String, Decoding> OTHERS = Map.ofEntries(
            Map.entry("utf7", Utf7::decode),
            Map.entry("unicode11utf7", Utf7::decode),
            Map.entry("csunicode11utf7", Utf7::decode),
            Map.entry("hz", Hz::decode),
            Map.entry("hzgb", Hz::decode),
            Map.entry("hzgb2312", Hz::decode),
            Map.entry("iso885910", Iso8859.PART_10::decode),
            Map.entry("iso8859101992", Iso8859.PART_10::decode),
            Map.entry("isoir157", Iso8859.PART_10::decode),
            Map.entry("latin6", Iso8859.PART_10::decode),
            Map.entry("csisolatin6", Iso8859.PART_10::decode),
            Map.entry("l6", Iso8859.PART_10::decode),
            Map.entry("iso885914", Iso8859.PART_14::decode),
            Map.entry("iso8859141998", Iso8859.PART_14::decode),
            Map.entry("isoir199", Iso8859.PART_14::decode),
            Map.entry("isoceltic", Iso8859.PART_14::decode),
            Map.entry("latin8", Iso8859.PART_14::decode),
            Map.entry("l8", Iso8859.PART_14::decode));

    private interface Decoding {
        String decode(byte[] octets, int from, int to);
    }

    private Charsets() {}

    /** Decodes octets of that label. Malformed octets become U+FFFD, and a byte order mark is dropped. */
    static String decode(String label, byte[] octets, int from, int to) {
        String key = key(label);
        Decoding other = OTHERS.get(key.startsWith("x") ? key.substring(1) : key);
        String text = other == null
                ? decode(charset(key).orElse(UNDECIDED), octets, from, to)
                : other.decode(octets, from, to);
        return whole(text.startsWith("\uFEFF") ? text.substring(1) : text);
    }

    /** Replaces lone surrogates, which some charsets can yield and no encoder accepts. */
    private static String whole(String text) {
        if (text.chars().noneMatch(c -> Character.isSurrogate((char) c))) {
            return text;
        }
        StringBuilder whole = new StringBuilder(text);
        for (int at = 0; at < whole.length(); at += Character.charCount(whole.codePointAt(at))) {
            int point = whole.codePointAt(at);
            if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
                whole.setCharAt(at, '\uFFFD');
            }
        }
        return whole.toString();
    }

    private static String decode(Charset charset, byte[] octets, int from, int to) {
        return switch (charset.name()) {
            case "US-ASCII" -> decodeUndecided(octets, from, to, Utf8.isLikely(octets, from, to));
            case "UTF-8" -> decodeUndecided(octets, from, to, Utf8.isDamagedAtMost(octets, from, to));
            case "UTF-16" -> decodeUtf16(octets, from, to);
            default -> charset.decode(ByteBuffer.wrap(octets, from, to - from)).toString();
        };
    }

    /** Whether the label decides how octets are decoded. */
    static boolean isKnown(String label) {
        String key = key(label);
        return OTHERS.containsKey(key) || charset(key).isPresent();
    }

    private static Optional<Charset> charset(String key) {
        String plain = key.startsWith("x") ? key.substring(1) : key;
        String windows = plain.startsWith("win") ? "windows" + plain.substring("win".length()) : plain;
        return Stream.of(key, plain, windows)
                .map(KNOWN::get)
                .filter(Objects::nonNull)
                .findFirst();
    }

    private static String key(String label) {
        StringBuilder key = new StringBuilder(label.length());
        for (int i = 0; i < label.length(); i++) {
            char c = label.charAt(i);
            if (c >= 'A' && c <= 'Z') {
                key.append((char) (c + ('a' - 'A')));
            } else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
                key.append(c);
            }
        }
        return key.toString();
    }

    /**
     * Every name and alias in the JDK, with its decoder. The JDK searches all providers for each unknown name, so a
     * header full of invented labels would take minutes.
     */
    private static Map<String, Charset> known() {
        Map<String, Charset> known = new HashMap<>();
        SUPERSETS.forEach((label, superset) -> known.put(key(label), Charset.forName(superset)));
        Collection<Charset> available = Charset.availableCharsets().values();
        for (Charset charset : available) {
            known.putIfAbsent(key(charset.name()), charset);
        }
        for (Charset charset : available) {
            Charset meant = known.getOrDefault(key(charset.name()), charset);
            charset.aliases().forEach(alias -> known.putIfAbsent(key(alias), meant));
        }
        return Map.copyOf(known);
    }

    /** UTF-8 if the octets are likely UTF-8, else windows-1252; ASCII is both. */
    private static String decodeUndecided(byte[] octets, int from, int to, boolean utf8) {
        if (isIso2022Jp(octets, from, to)) {
            return new String(octets, from, to - from, ISO_2022_JP);
        }
        Charset charset = utf8 ? StandardCharsets.UTF_8 : WINDOWS_1252;
        return new String(octets, from, to - from, charset);
    }

    /** Japanese mail often has no label; ASCII with the escape to JIS X 0208 is ISO-2022-JP (RFC 1468). */
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

    /** Without a mark, RFC 2781 §4.3 says big-endian; octets that look little-endian are decoded so. */
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
