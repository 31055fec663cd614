package dev.oneshot.message;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Charset labels as mail programs mean them. Text with the label of an old standard is usually written in its Windows
 * superset, which decodes it. Text with a missing, wrong or unknown label is UTF-8 if it is well formed, else
 * windows-1252. Needs the JDK's module jdk.charsets.
 */
final class Charsets {

    private static final Charset WINDOWS_1252 = Charset.forName("windows-1252");
    private static final Charset ISO_2022_JP = Charset.forName("x-windows-iso2022jp");

    private static final byte[] ASCII_SAMPLE = "<meta>".getBytes(StandardCharsets.US_ASCII);

    private static final char REPLACEMENT = '\uFFFD';

    /** Labels that are often wrong: the octets decide. */
    private static final Charset UNDECIDED = StandardCharsets.US_ASCII;

    /** Labels by the charset that decodes them, except those that the JDK maps to the same charset. */
    private static final Map<String, List<String>> SUPERSETS = Map.ofEntries(
            Map.entry(
                    "GB18030",
                    List.of(
                            "936",
                            "chinese",
                            "csgb2312",
                            "csiso58gb231280",
                            "gb18030-2000",
                            "gb2312",
                            "gbk",
                            "iso-ir-58",
                            "ms936",
                            "x-cp20936",
                            "x-gbk",
                            "x-mac-chinesesimp")),
            Map.entry("IBM862", List.of("dos-862")),
            Map.entry("ISO-8859-6", List.of("csiso88596e", "csiso88596i", "iso-8859-6-e", "iso-8859-6-i")),
            Map.entry(
                    "ISO-8859-8",
                    List.of("csiso88598e", "csiso88598i", "iso-8859-8-e", "iso-8859-8-i", "logical", "visual")),
            Map.entry("KOI8-R", List.of("koi")),
            Map.entry("KOI8-U", List.of("koi8-ru")),
            Map.entry("UTF-16", List.of("csunicode", "iso-10646-ucs-2", "ucs-2", "unicodefeff")),
            Map.entry("UTF-16BE", List.of("unicodefffe")),
            Map.entry("UTF-8", List.of("cp65001", "u8", "unicode20utf8", "utf", "utf-8mb4")),
            Map.entry("windows-1252", List.of("iso-8859-1", "iso8859", "ms-ansi", "x-ansi")),
            Map.entry("windows-1254", List.of("iso-8859-9")),
            Map.entry("windows-31j", List.of("cp932", "shift_jis", "sjis-win", "x-mac-japanese", "x-ms-cp932")),
            Map.entry("x-Johab", List.of("cp1361")),
            // The Windows charset lacks characters that Hong Kong and Taiwan added, such as kana.
            Map.entry(
                    "x-MS950-HKSCS",
                    List.of(
                            "big5",
                            "big5-hkscs",
                            "big5-tw",
                            "cn-big5",
                            "cp950",
                            "ms950",
                            "x-mac-chinesetrad",
                            "x-x-big5")),
            Map.entry("x-MacCentralEurope", List.of("mac-latin2", "x-mac-ce")),
            Map.entry("x-MacIceland", List.of("x-mac-icelandic")),
            Map.entry("x-MacRomania", List.of("x-mac-romanian")),
            Map.entry("x-MacRoman", List.of("csmacintosh", "mac", "macintosh")),
            Map.entry("x-MacUkraine", List.of("x-mac-ukrainian")),
            Map.entry("x-eucJP-Open", List.of("cp51932", "euc-jp", "eucjp-ms", "eucjp-win", "ujis")),
            Map.entry("x-windows-874", List.of("dos-874", "tis-620", "x-iso-8859-11")),
            Map.entry(
                    "x-windows-949",
                    List.of(
                            "949",
                            "cp51949",
                            "cp949",
                            "csksc56011987",
                            "euc-kr",
                            "iso-ir-149",
                            "korean",
                            "ks_c_5601-1989",
                            "uhc",
                            "x-cp20949",
                            "x-mac-korean")),
            Map.entry(
                    "x-windows-iso2022jp",
                    List.of("cp50220", "cp50221", "cp50222", "iso-2022-jp", "iso-2022-jp-1", "iso-2022-jp-ms")));

    /** By label reduced to letters and digits, as programs differ in the rest. */
    private static final Map<String, Charset> KNOWN = known();

    private interface Decoding {
        String decode(byte[] octets, int from, int to);
    }

    private Charsets() {}

    /** The decoder of a label that the JDK does not know. */
    private static @Nullable Decoding other(String key) {
        return switch (key) {
            case "utf7", "unicode11utf7", "csunicode11utf7" -> Utf7::decode;
            case "hz", "hzgb", "hzgb2312" -> Hz::decode;
            case "iso885910", "iso8859101992", "isoir157", "latin6", "csisolatin6", "l6" -> Iso8859.PART_10::decode;
            case "iso885914", "iso8859141998", "isoir199", "isoceltic", "latin8", "l8" -> Iso8859.PART_14::decode;
            default -> null;
        };
    }

    /** Decodes octets of that label. Malformed octets become U+FFFD, and a byte order mark is dropped. */
    static String decode(String label, byte[] octets, int from, int to) {
        String key = key(label);
        Decoding other = other(key.startsWith("x") ? key.substring(1) : key);
        String text = other == null
                ? decode(charset(key).orElse(UNDECIDED), octets, from, to)
                : other.decode(octets, from, to);
        return whole(text.startsWith("\uFEFF") ? text.substring(1) : text);
    }

    /** Replaces lone surrogates, which some charsets can yield and no encoder accepts: UTF-16's writes U+FFFD. */
    private static String whole(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return new String(text.getBytes(StandardCharsets.UTF_16BE), StandardCharsets.UTF_16BE);
            }
        }
        return text;
    }

    /** Decodes octets without a label: UTF-8 if they likely are, else what the hint says if they can be that, else windows-1252. */
    static String decodeUnlabelled(String hint, byte[] octets, int from, int to) {
        if (!isUndecided(hint) && !Utf8.isLikely(octets, from, to, false)) {
            String text = decode(hint, octets, from, to);
            if (text.indexOf(REPLACEMENT) < 0) {
                return text;
            }
        }
        return decode("", octets, from, to);
    }

    private static String decode(Charset charset, byte[] octets, int from, int to) {
        return switch (charset.name()) {
            case "US-ASCII" -> decodeUndecided(octets, from, to, Utf8.isLikely(octets, from, to, false));
            case "UTF-8" -> decodeUndecided(octets, from, to, Utf8.isLikely(octets, from, to, true));
            case "UTF-16" -> decodeUtf16(octets, from, to);
            default -> decodeKnown(octets, from, to, charset);
        };
    }

    /** Whether the label decides how octets are decoded. */
    static boolean isKnown(String label) {
        String key = key(label);
        return other(key) != null || charset(key).isPresent();
    }

    /** Whether the octets decide, not the label. */
    static boolean isUndecided(String label) {
        String key = key(label);
        return other(key) == null && charset(key).orElse(UNDECIDED).equals(UNDECIDED);
    }

    /**
     * The label with which {@link #decode} reads text that begins in ASCII: HTML that names its own charset, or a header. Empty if
     * the label is unknown, or if its charset does not read ASCII. UTF-7 is not allowed, as it hides elements. UTF-16 stands for UTF-8
     * (WHATWG HTML).
     */
    static String namedInText(String label) {
        String key = key(label);
        if (other(key) != null) {
            return key.contains("utf7") ? "" : label;
        }
        return charset(key)
                .map(charset -> charset.name().startsWith("UTF-")
                        ? "utf-8"
                        : new String(ASCII_SAMPLE, charset).equals("<meta>") ? label : "")
                .orElse("");
    }

    private static Optional<Charset> charset(String key) {
        String plain = key.startsWith("x") ? key.substring(1) : key;
        String windows = plain.startsWith("win") ? "windows" + plain.substring("win".length()) : plain;
        return Optional.ofNullable(KNOWN.getOrDefault(key, KNOWN.getOrDefault(plain, KNOWN.get(windows))));
    }

    private static String key(String label) {
        StringBuilder key = new StringBuilder(label.length());
        for (int i = 0; i < label.length(); i++) {
            char c = label.charAt(i);
            if (c < 0x80 && Character.isLetterOrDigit(c)) {
                key.append(Character.toLowerCase(c));
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
        SUPERSETS.forEach(
                (charset, labels) -> labels.forEach(label -> known.put(key(label), Charset.forName(charset))));
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
        return decodeKnown(octets, from, to, charset);
    }

    private static String decodeKnown(byte[] octets, int from, int to, Charset charset) {
        String text = new String(octets, from, to - from, charset);
        return text.indexOf(REPLACEMENT) < 0 ? text : decodeDamaged(octets, from, to, charset);
    }

    /**
     * Malformed octets become U+FFFD, but the ASCII after a lead octet stays, as it may be a quote or a bracket of HTML (WHATWG
     * Encoding). The JDK would replace both.
     */
    private static String decodeDamaged(byte[] octets, int from, int to, Charset charset) {
        CharsetDecoder decoder = charset.newDecoder();
        ByteBuffer input = ByteBuffer.wrap(octets, from, to - from);
        CharBuffer text = CharBuffer.allocate((int) Math.ceil((to - from) * Math.max(1.0, decoder.maxCharsPerByte())));
        for (CoderResult result = decoder.decode(input, text, true);
                result.isError();
                result = decoder.decode(input, text, true)) {
            text.put(REPLACEMENT);
            input.position(input.position() + lost(input, result.length(), charset));
        }
        decoder.flush(text);
        return text.flip().toString();
    }

    /** How many of these malformed or unmappable octets become one U+FFFD. */
    private static int lost(ByteBuffer input, int malformed, Charset charset) {
        if (charset.name().contains("UTF-")) {
            return Math.min(malformed, charset.name().contains("UTF-16") ? 2 : 4);
        }
        int first = input.position();
        int lost = 1;
        // The octets of an ISO 2022 charset are all ASCII, and come in pairs.
        while (lost < malformed && (input.get(first) >= 0 || input.get(first + lost) < 0)) {
            lost++;
        }
        return lost;
    }
}
