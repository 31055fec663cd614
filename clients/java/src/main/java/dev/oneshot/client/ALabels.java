package dev.oneshot.client;

import java.net.IDN;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Writes a host in A-labels (RFC 5890 §2.3.2.1), as the URL parser of WHATWG does. The JDK knows IDNA2003 only, which maps a host
 * with ß or ς to another one. Labels with these are encoded here.
 */
final class ALabels {

    private static final Pattern DOT = Pattern.compile("[.\u3002\uFF0E\uFF61]");
    /** Characters that IDNA2003 replaces and UTS 46 §6 keeps, and the capital ß. */
    private static final Pattern DEVIATION = Pattern.compile("[\u00DF\u1E9E\u03C2]");
    /** IDNA2003 drops these, and UTS 46 allows them between some letters only. */
    private static final Pattern JOINER = Pattern.compile("[\u200C\u200D]");

    private static final int LABEL_CHARACTERS_MAX = 63;
    /** A host of 253 characters in A-labels has fewer. Encoding takes time in the square of the length. */
    private static final int HOST_CHARACTERS_MAX = 506;

    // RFC 3492 §5.
    private static final int BASE = 36;
    private static final int THRESHOLD_MAX = 26;
    private static final int SKEW = 38;
    private static final int DAMP = 700;
    private static final int BIAS = 72;
    private static final int ASCII_END = 0x80;

    private ALabels() {}

    /** @throws IllegalArgumentException if the host cannot be written in A-labels */
    static String of(String host) {
        if (host.length() > HOST_CHARACTERS_MAX) {
            throw new IllegalArgumentException("a host of " + host.length() + " characters");
        }
        if (JOINER.matcher(host).find()) {
            throw new IllegalArgumentException("a host with a joiner");
        }
        String labels = Arrays.stream(DOT.split(host, -1)).map(ALabels::label).collect(Collectors.joining("."));
        return IDN.toASCII(labels, IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
    }

    private static String label(String label) {
        if (!DEVIATION.matcher(label).find()) {
            return label;
        }
        int[] lowerCase = label.codePoints().map(Character::toLowerCase).toArray();
        String mapped = Normalizer.normalize(new String(lowerCase, 0, lowerCase.length), Normalizer.Form.NFKC);
        String ascii = "xn--" + punycode(mapped.codePoints().toArray());
        if (ascii.length() > LABEL_CHARACTERS_MAX) {
            throw new IllegalArgumentException("a label has more than " + LABEL_CHARACTERS_MAX + " characters");
        }
        return ascii;
    }

    /** RFC 3492 §6.3. */
    private static String punycode(int[] label) {
        StringBuilder text = new StringBuilder();
        Arrays.stream(label).filter(c -> c < ASCII_END).forEach(text::appendCodePoint);
        int ascii = text.length();
        text.append(ascii > 0 ? "-" : "");
        int bias = BIAS;
        int delta = 0;
        int written = ascii;
        for (int next = ASCII_END; written < label.length; next++, delta++) {
            int from = next;
            next = Arrays.stream(label).filter(c -> c >= from).min().orElseThrow();
            delta += (next - from) * (written + 1);
            for (int c : label) {
                if (c < next) {
                    delta++;
                } else if (c == next) {
                    appendNumber(delta, bias, text);
                    bias = adapted(delta / (written == ascii ? DAMP : 2), ++written);
                    delta = 0;
                }
            }
        }
        return text.toString();
    }

    private static void appendNumber(int number, int bias, StringBuilder to) {
        int rest = number;
        for (int position = BASE; ; position += BASE) {
            int threshold = Math.max(1, Math.min(THRESHOLD_MAX, position - bias));
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
        for (; rest > (BASE - 1) * THRESHOLD_MAX / 2; rest /= BASE - 1) {
            bias += BASE;
        }
        return bias + BASE * rest / (rest + SKEW);
    }

    /** The letters, then the decimal digits. */
    private static char digit(int value) {
        return (char) (value < 26 ? 'a' + value : '0' + value - 26);
    }
}
