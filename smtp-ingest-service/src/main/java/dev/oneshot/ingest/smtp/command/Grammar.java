package dev.oneshot.ingest.smtp.command;

import dev.oneshot.ingest.smtp.Mailbox;
import java.net.Inet6Address;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses paths by the grammar of RFC 5321 §4.1.2, with the letters of RFC 6531 §3.3. Repetitions are possessive, so that
 * time is linear.
 */
public final class Grammar {

    private static final String QUOTED_TEXT = "[^\"\\\\\\p{Cntrl}]*+";
    private static final String QUOTED_STRING = "\"" + QUOTED_TEXT + "(?:\\\\\\P{Cntrl}" + QUOTED_TEXT + ")*+\"";
    // Underscores are allowed, as real names have them.
    private static final String LABEL =
            "[" + Mailbox.LETTERS_AND_DIGITS + "_]++(?:-++[" + Mailbox.LETTERS_AND_DIGITS + "_]++)*+";
    private static final String DOMAIN = LABEL + "(?:\\." + LABEL + ")*+";
    private static final String LIBERAL_LABEL = "[" + Mailbox.LETTERS_AND_DIGITS + "_-]++";
    private static final String ROUTE = "@(?![^,:]{" + (Mailbox.DOMAIN_BYTES_MAX + 1) + "})" + DOMAIN;
    private static final String IPV4_OCTET = "(?:25[0-5]|2[0-4][0-9]|[01]?[0-9]?[0-9])";
    private static final String IPV4 = IPV4_OCTET + "(?:\\." + IPV4_OCTET + "){3}";
    private static final String GENERAL_LITERAL = "(?!(?i:IPv6:))[A-Za-z0-9-]*[A-Za-z0-9]:[!-Z^-~]+";
    // RFC 5321 §4.1.3.
    private static final String ADDRESS_LITERAL =
            "\\[(?:(?i:IPv6:)(?<ipv6>[^\\]]*+)|" + IPV4 + "|" + GENERAL_LITERAL + ")]";

    /** Between brackets and path, as some programs write them. */
    private static final String BLANKS = "[ \t]*+";

    /** The dot of the root of DNS may follow the domain. */
    private static final PathPattern FORWARD_PATH = PathPattern.of(Mailbox.DOT_STRING, DOMAIN, ")\\.?+");
    /**
     * Dots and hyphens may be anywhere, and the domain may be missing, as clients send such paths. No mail is sent to a reverse-path.
     */
    private static final PathPattern REVERSE_PATH = PathPattern.of(
            "(?:\\.|" + Mailbox.DOT_STRING + ")++", LIBERAL_LABEL + "(?:\\." + LIBERAL_LABEL + ")*+\\.?+", ")?+");

    private static final Pattern IPV6_CHARACTERS = Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");
    private static final Pattern QUOTED_PAIR = Pattern.compile("\\\\(.)", Pattern.DOTALL);

    private Grammar() {}

    /**
     * A path at the beginning of a text.
     *
     * @param domain empty if a reverse-path has none
     * @param end where the text after it begins
     */
    record Path(String localPart, String domain, int end) {

        /** Without the source route. */
        Mailbox mailbox() {
            return new Mailbox(localPart, domain);
        }
    }

    /**
     * How a path is written.
     *
     * @param bare without brackets, as some devices write it
     */
    private record PathPattern(Pattern inBrackets, Pattern bare) {

        static PathPattern of(String localPart, String domain, String end) {
            String mailbox = "(?<local>" + localPart + "|" + QUOTED_STRING + ")(?:@(?<domain>" + domain + "|"
                    + ADDRESS_LITERAL + ")" + end;
            return new PathPattern(
                    Pattern.compile("<" + BLANKS + "(?:" + ROUTE + "(?:," + ROUTE + ")*+:)?+" + mailbox + BLANKS + ">"),
                    Pattern.compile(mailbox + "(?![^ \t])"));
        }

        Matcher matcher(String text) {
            return (text.startsWith("<") ? inBrackets : bare).matcher(text);
        }
    }

    /** Parses a forward-path at the beginning of a text; empty if there is none. */
    static Optional<Path> path(String text) {
        return path(FORWARD_PATH.matcher(text));
    }

    /** Parses a reverse-path at the beginning of a text; empty if there is none. */
    static Optional<Path> reversePath(String text) {
        return path(REVERSE_PATH.matcher(text));
    }

    private static Optional<Path> path(Matcher path) {
        if (!path.lookingAt() || !isHost(path)) {
            return Optional.empty();
        }
        String localPart = path.group("local");
        if (localPart.startsWith("\"")) {
            localPart = QUOTED_PAIR
                    .matcher(localPart.substring(1, localPart.length() - 1))
                    .replaceAll("$1");
        }
        String domain = Objects.requireNonNullElse(path.group("domain"), "");
        return bytes(localPart) > Mailbox.LOCAL_PART_BYTES_MAX || bytes(domain) > Mailbox.DOMAIN_BYTES_MAX
                ? Optional.empty()
                : Optional.of(new Path(localPart, domain, path.end()));
    }

    /** Parses a mailbox as {@link Mailbox#toString} writes it; empty if it is none. */
    public static Optional<Mailbox> mailbox(String text) {
        // A path may begin with a source route, a mailbox may not.
        return path('<' + text + '>')
                .filter(path -> path.end() == text.length() + 2 && !text.startsWith("@"))
                .map(Path::mailbox);
    }

    private static boolean isHost(Matcher found) {
        String ipv6 = found.group("ipv6");
        return ipv6 == null || isIpv6(ipv6);
    }

    static boolean isIpv6(String text) {
        if (!IPV6_CHARACTERS.matcher(text).matches()) {
            return false;
        }
        try {
            return Inet6Address.ofLiteral(text) != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
