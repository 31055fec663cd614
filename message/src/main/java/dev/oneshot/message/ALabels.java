package dev.oneshot.message;

import java.net.IDN;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Converts domains to A-labels (RFC 5890 §2.3.2.1). The JDK knows IDNA2003 only, which maps a domain with ß or ς to another one.
 * Its owner would get the mail, or pass as the sender. Labels with these are converted by IDNA2008.
 */
public final class ALabels {

    private static final Pattern DOT = Pattern.compile("[.\u3002\uFF0E\uFF61]");
    /** Characters that IDNA2003 replaces and IDNA2008 keeps (UTS 46 §6), and the capital of the first. */
    private static final Pattern DEVIATION = Pattern.compile("[\u00DF\u1E9E\u03C2]");
    /** IDNA2008 keeps these only between some letters, and IDNA2003 drops them. */
    private static final Pattern JOINER = Pattern.compile("[\u200C\u200D]");

    private static final String PREFIX = "xn--";
    private static final int LABEL_CHARACTERS_MAX = 63;

    // RFC 3492 §5.
    private static final int BASE = 36;
    private static final int THRESHOLD_MIN = 1;
    private static final int THRESHOLD_MAX = 26;
    private static final int SKEW = 38;
    private static final int DAMP = 700;
    private static final int BIAS = 72;
    private static final int ASCII_END = 0x80;

    private ALabels() {}

    /**
     * The domain in A-labels.
     *
     * @param flags of {@link IDN#toASCII(String, int)}
     * @throws IllegalArgumentException if there are none
     */
    public static String of(String domain, int flags) {
        if (JOINER.matcher(domain).find()) {
            throw new IllegalArgumentException("a domain with a joiner");
        }
        try {
            if (!DEVIATION.matcher(domain).find()) {
                return IDN.toASCII(domain, flags);
            }
            String labels = Arrays.stream(DOT.split(domain, -1))
                    .map(label -> label(label, flags))
                    .collect(Collectors.joining("."));
            // The JDK checks that no label is empty.
            return IDN.toASCII(labels, flags);
        } catch (RuntimeException e) {
            // Not only IllegalArgumentException: after nameprep, a label may be too long for the JDK.
            throw new IllegalArgumentException("the domain has no A-labels", e);
        }
    }

    private static String label(String label, int flags) {
        if (!DEVIATION.matcher(label).find()) {
            return label;
        }
        int[] lowerCase = label.codePoints().map(Character::toLowerCase).toArray();
        String mapped = Normalizer.normalize(new String(lowerCase, 0, lowerCase.length), Normalizer.Form.NFKC);
        // IDNA2003 checks the other characters.
        String replaced = mapped.replace("\u00DF", "ss").replace('\u03C2', '\u03C3');
        String ascii = PREFIX + punycode(mapped.codePoints().toArray());
        boolean isValid = IDN.toUnicode(IDN.toASCII(replaced, flags)).equals(replaced)
                // RFC 5891 §4.2.3.1.
                && !mapped.startsWith("--", 2)
                && ascii.length() <= LABEL_CHARACTERS_MAX;
        if (!isValid) {
            throw new IllegalArgumentException("a label has no A-label");
        }
        return ascii;
    }

    /** RFC 3492 §6.3. */
    static String punycode(int[] label) {
        StringBuilder text = new StringBuilder();
        Arrays.stream(label).filter(c -> c < ASCII_END).forEach(text::appendCodePoint);
        int ascii = text.length();
        if (ascii > 0) {
            text.append('-');
        }
        int bias = BIAS;
        int delta = 0;
        int written = ascii;
        for (int next = ASCII_END; written < label.length; next++) {
            int from = next;
            next = Arrays.stream(label).filter(c -> c >= from).min().orElseThrow();
            delta += (next - from) * (written + 1);
            for (int c : label) {
                if (c < next) {
                    delta++;
                } else if (c == next) {
                    appendNumber(delta, bias, text);
                    bias = adapted(delta / (written == ascii ? DAMP : 2), written + 1);
                    delta = 0;
                    written++;
                }
            }
            delta++;
        }
        return text.toString();
    }

    private static void appendNumber(int number, int bias, StringBuilder to) {
        int rest = number;
        for (int position = BASE; ; position += BASE) {
            int threshold = Math.clamp(position - bias, THRESHOLD_MIN, THRESHOLD_MAX);
            if (rest < threshold) {
                to.append(digit(rest));
                return;
            }
            to.append(digit(threshold + (rest - threshold) % (BASE - threshold)));
            rest = (rest - threshold) / (BASE - threshold);
        }
    }

    /** RFC 3492 §6.1. */
    private static int adapted(int delta, int written) {
        int rest = delta + delta / written;
        int bias = 0;
        for (; rest > (BASE - THRESHOLD_MIN) * THRESHOLD_MAX / 2; rest /= BASE - THRESHOLD_MIN) {
            bias += BASE;
        }
        return bias + (BASE - THRESHOLD_MIN + 1) * rest / (rest + SKEW);
    }

    /** The letters, then the decimal digits. */
    private static char digit(int value) {
        return (char) (value < 26 ? 'a' + value : '0' + value - 26);
    }
}
