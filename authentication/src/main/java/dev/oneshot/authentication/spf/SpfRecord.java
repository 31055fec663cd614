package dev.oneshot.authentication.spf;

import static dev.oneshot.authentication.spf.SpfException.require;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A parsed record (RFC 7208 §4.6, §12).
 *
 * @param redirect the domain-spec of {@code redirect=}; null if there is none
 */
record SpfRecord(List<Directive> directives, @Nullable String redirect) {

    private static final String OPTIONAL_SPEC = "(?::(.+?))?";
    private static final String PREFIX_4 = "(?:/(0|[1-9]\\d?))?";
    private static final String PREFIX_6 = "(0|[1-9]\\d{0,2})";
    private static final String QNUM = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
    private static final String ADDRESS_4 = QNUM + "(?:\\." + QNUM + "){3}";

    /** The mechanisms (RFC 7208 §5). */
    enum Mechanism {
        ALL("()()()"),
        INCLUDE(":(.+)()()"),
        A(OPTIONAL_SPEC + PREFIX_4 + "(?://" + PREFIX_6 + ")?"),
        MX(OPTIONAL_SPEC + PREFIX_4 + "(?://" + PREFIX_6 + ")?"),
        PTR(OPTIONAL_SPEC + "()()"),
        // InetAddress also accepts a zone, a number alone, and leading zeros.
        IP4(":(" + ADDRESS_4 + ")" + PREFIX_4 + "()"),
        IP6(":((?:[0-9A-Fa-f]{0,4}:){2,8}(?:[0-9A-Fa-f]{0,4}|" + ADDRESS_4 + "))()(?:/" + PREFIX_6 + ")?"),
        EXISTS(":(.+)()()");

        /** What follows the name: groups of a domain-spec or address, and the prefixes for IPv4 and IPv6. */
        private final Pattern arguments;

        Mechanism(String arguments) {
            this.arguments = Pattern.compile(arguments);
        }

        /** Whether it queries DNS, and counts as one of ten (RFC 7208 §4.6.4). */
        boolean queriesDns() {
            return this != ALL && !isNetwork();
        }

        boolean isNetwork() {
            return this == IP4 || this == IP6;
        }
    }

    /**
     * A mechanism with its qualifier.
     *
     * @param result the result of a match
     * @param argument a domain-spec, or the address of ip4 and ip6; empty if there is none
     */
    record Directive(SpfResult result, Mechanism mechanism, String argument, int prefix4, int prefix6) {}

    private static final int VERSION_CHARACTERS = "v=spf1".length();
    private static final int IPV4_BITS = 32;
    private static final int IPV6_BITS = 128;
    private static final Map<String, SpfResult> QUALIFIERS =
            Map.of("-", SpfResult.FAIL, "~", SpfResult.SOFTFAIL, "?", SpfResult.NEUTRAL);
    private static final Pattern MODIFIER = Pattern.compile("([A-Za-z][A-Za-z0-9._-]*)=(.*)");
    private static final Pattern DIRECTIVE = Pattern.compile("([-+?~]?)([A-Za-z][A-Za-z0-9-]*)(.*)");
    private static final String LITERAL = "[!-$&-~]";
    /** The number of parts is not 0 (RFC 7208 §7.1). */
    private static final String MACRO = "%(?:[%_-]|\\{[slodiphvSLODIPHV](?:0*+[1-9]\\d*+)?[rR]?[-.+,/_=]*})";

    private static final Pattern MACRO_STRING = Pattern.compile("(?:" + LITERAL + "|" + MACRO + ")*+");
    /** A macro-string that ends with a macro, or a name that can be a top-level domain (RFC 7208 §7.1). */
    private static final Pattern DOMAIN_SPEC = Pattern.compile("(?!$)(?:" + LITERAL + "*+" + MACRO + ")*+(?:" + LITERAL
            + "*\\.(?!\\d+\\.?$)[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.?)?");
    // Real records have a few hundred; more would only cost time.
    private static final int CHARACTERS_MAX = 8 * 1024;

    /** @throws SpfException if any term is not valid */
    static SpfRecord parse(String text) {
        require(text.length() <= CHARACTERS_MAX, "record of more than " + CHARACTERS_MAX + " characters");
        List<Directive> directives = new ArrayList<>();
        Map<String, String> modifiers = new HashMap<>();
        for (String term : text.substring(VERSION_CHARACTERS).split(" ", -1)) {
            Matcher modifier = MODIFIER.matcher(term);
            if (modifier.matches()) {
                addModifier(modifier.group(1).toLowerCase(Locale.ROOT), modifier.group(2), modifiers);
            } else if (!term.isEmpty()) {
                directives.add(directive(term));
            }
        }
        return new SpfRecord(List.copyOf(directives), modifiers.get("redirect"));
    }

    private static void addModifier(String name, String value, Map<String, String> modifiers) {
        if (name.equals("redirect") || name.equals("exp")) {
            require(DOMAIN_SPEC.matcher(value).matches(), "no domain in " + name + "=");
            require(modifiers.putIfAbsent(name, value) == null, name + "= twice");
        } else {
            require(MACRO_STRING.matcher(value).matches(), "broken macro in " + name + "=");
        }
    }

    private static Directive directive(String term) {
        Matcher parts = DIRECTIVE.matcher(term);
        require(parts.matches(), "unknown term " + term);
        SpfResult result = QUALIFIERS.getOrDefault(parts.group(1), SpfResult.PASS);
        try {
            Mechanism mechanism = Mechanism.valueOf(parts.group(2).toUpperCase(Locale.ROOT));
            Matcher arguments = mechanism.arguments.matcher(parts.group(3));
            require(arguments.matches(), "not valid: " + term);
            String argument = Objects.requireNonNullElse(arguments.group(1), "");
            if (mechanism.isNetwork()) {
                var _ = InetAddress.ofLiteral(argument);
            } else {
                require(argument.isEmpty() || DOMAIN_SPEC.matcher(argument).matches(), "no domain in " + term);
            }
            int prefix4 = prefix(arguments.group(2), IPV4_BITS);
            return new Directive(result, mechanism, argument, prefix4, prefix(arguments.group(3), IPV6_BITS));
        } catch (IllegalArgumentException _) {
            // No such mechanism, or no address.
            throw new SpfException(SpfResult.PERMERROR, "unknown term " + term);
        }
    }

    private static int prefix(@Nullable String digits, int max) {
        int prefix = digits == null || digits.isEmpty() ? max : Integer.parseInt(digits);
        require(prefix <= max, "prefix of more than " + max + " bits");
        return prefix;
    }
}
