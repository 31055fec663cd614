package dev.oneshot.ingest.authentication.spf;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A parsed record (RFC 7208 §4.6, §12).
 *
 * @param redirect the domain-spec of {@code redirect=}; null if there is none
 */
record SpfRecord(List<Directive> directives, @Nullable String redirect) {

    static final String VERSION = "v=spf1";

    /** The mechanisms (RFC 7208 §5). */
    enum Mechanism {
        ALL,
        INCLUDE,
        A,
        MX,
        PTR,
        IP4,
        IP6,
        EXISTS;

        /** Whether it asks DNS, and counts as one of ten (RFC 7208 §4.6.4). */
        boolean asksDns() {
            return this != ALL && this != IP4 && this != IP6;
        }
    }

    /**
     * A mechanism with its qualifier.
     *
     * @param result the result of a match
     * @param domainSpec null if there is none
     * @param network of ip4 and ip6; null for others
     */
    record Directive(
            SpfResult result,
            Mechanism mechanism,
            @Nullable String domainSpec,
            @Nullable InetAddress network,
            int prefix4,
            int prefix6) {}

    private static final int IPV4_BITS = 32;
    private static final int IPV6_BITS = 128;
    private static final Pattern MODIFIER = Pattern.compile("([A-Za-z][A-Za-z0-9._-]*)=(.*)");
    private static final Pattern DIRECTIVE =
            Pattern.compile("([-+?~]?)([A-Za-z][A-Za-z0-9-]*)(?::(.*?))?((?:/\\d+)?(?://\\d+)?)");
    private static final Pattern PREFIXES = Pattern.compile("(?:/(0|[1-9]\\d?))?(?://(0|[1-9]\\d{0,2}))?");
    private static final Pattern MACRO_STRING =
            Pattern.compile("(?:[!-$&-~]|%%|%_|%-|%\\{[slodiphvSLODIPHV]\\d{0,9}[rR]?[-.+,/_=]*})*+");
    private static final Pattern TOP_LABEL =
            Pattern.compile("[A-Za-z0-9]*[A-Za-z][A-Za-z0-9]*|[A-Za-z0-9]+-[A-Za-z0-9-]*[A-Za-z0-9]");
    private static final int LABEL_CHARACTERS_MAX = 63;
    // Real records have some hundred; more would only cost time.
    private static final int CHARACTERS_MAX = 8 * 1024;

    /** @throws SpfException if any term is not valid */
    static SpfRecord parse(String text) throws SpfException {
        require(text.length() <= CHARACTERS_MAX);
        List<Directive> directives = new ArrayList<>();
        String redirect = null;
        String explanation = null;
        for (String term : text.substring(VERSION.length()).split(" ", -1)) {
            Matcher modifier = MODIFIER.matcher(term);
            if (term.isEmpty()) {
                continue;
            }
            if (!modifier.matches()) {
                directives.add(directive(term));
                continue;
            }
            String value = modifier.group(2);
            switch (modifier.group(1).toLowerCase(Locale.ROOT)) {
                case "redirect" -> {
                    require(redirect == null);
                    redirect = domainSpec(value);
                }
                case "exp" -> {
                    require(explanation == null);
                    explanation = domainSpec(value);
                }
                default -> require(MACRO_STRING.matcher(value).matches());
            }
        }
        return new SpfRecord(List.copyOf(directives), redirect);
    }

    private static Directive directive(String term) throws SpfException {
        Matcher parts = DIRECTIVE.matcher(term);
        require(parts.matches());
        Mechanism mechanism = mechanism(parts.group(2));
        String argument = parts.group(3);
        String prefixes = parts.group(4);
        SpfResult result = switch (parts.group(1)) {
            case "-" -> SpfResult.FAIL;
            case "~" -> SpfResult.SOFTFAIL;
            case "?" -> SpfResult.NEUTRAL;
            default -> SpfResult.PASS;
        };
        return switch (mechanism) {
            case ALL -> {
                require(argument == null && prefixes.isEmpty());
                yield new Directive(result, mechanism, null, null, 0, 0);
            }
            case INCLUDE, EXISTS, PTR -> {
                require(prefixes.isEmpty() && (argument != null || mechanism == Mechanism.PTR));
                String spec = argument == null ? null : domainSpec(argument);
                yield new Directive(result, mechanism, spec, null, 0, 0);
            }
            case A, MX -> {
                String spec = argument == null ? null : domainSpec(argument);
                Matcher both = PREFIXES.matcher(prefixes);
                require(both.matches());
                yield new Directive(
                        result,
                        mechanism,
                        spec,
                        null,
                        prefix(both.group(1), IPV4_BITS),
                        prefix(both.group(2), IPV6_BITS));
            }
            case IP4, IP6 -> {
                require(argument != null && !prefixes.startsWith("//"));
                Matcher both = PREFIXES.matcher(prefixes.isEmpty() ? "" : "/" + prefixes);
                require(both.matches());
                boolean four = mechanism == Mechanism.IP4;
                int prefix = prefix(both.group(2), four ? IPV4_BITS : IPV6_BITS);
                yield new Directive(result, mechanism, null, network(argument, four), prefix, prefix);
            }
        };
    }

    private static Mechanism mechanism(String name) throws SpfException {
        for (Mechanism mechanism : Mechanism.values()) {
            if (mechanism.name().equalsIgnoreCase(name)) {
                return mechanism;
            }
        }
        throw SpfException.permanent();
    }

    private static int prefix(@Nullable String digits, int max) throws SpfException {
        int prefix = digits == null ? max : Integer.parseInt(digits);
        require(prefix <= max);
        return prefix;
    }

    private static InetAddress network(@Nullable String text, boolean four) throws SpfException {
        try {
            // A zone or a number alone would pass as an address otherwise.
            require(text != null
                    && (four
                            ? text.matches("\\d+\\.\\d+\\.\\d+\\.\\d+")
                            : text.matches("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")));
            return four ? Inet4Address.ofLiteral(text) : Inet6Address.ofLiteral(text);
        } catch (IllegalArgumentException _) {
            throw SpfException.permanent();
        }
    }

    private static String domainSpec(String text) throws SpfException {
        require(MACRO_STRING.matcher(text).matches() && endsAsDomain(text));
        return text;
    }

    /** It must end with a macro, or a name that can be a top-level domain (RFC 7208 §7.1). */
    private static boolean endsAsDomain(String text) {
        int macro = text.lastIndexOf("%{");
        if (macro >= 0 && text.indexOf('}', macro) == text.length() - 1) {
            return true;
        }
        String rooted = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
        int dot = rooted.lastIndexOf('.');
        return dot >= 0
                && rooted.length() - dot - 1 <= LABEL_CHARACTERS_MAX
                && TOP_LABEL.matcher(rooted.substring(dot + 1)).matches();
    }

    private static void require(boolean valid) throws SpfException {
        if (!valid) {
            throw SpfException.permanent();
        }
    }
}
