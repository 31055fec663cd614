package dev.oneshot.authentication.spf;

import dev.oneshot.authentication.dns.DomainNames;
import java.math.BigInteger;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Expands macros (RFC 7208 §7).
 *
 * @param helo the client's name in HELO
 * @param localPart of the sender
 * @param senderDomain of the sender, not of the record
 */
record Macros(InetAddress client, String helo, String localPart, String senderDomain) {

    private static final int DOMAIN_CHARACTERS_MAX = 253;
    // More than any name has.
    private static final BigInteger PARTS_MAX = BigInteger.valueOf(1_000);
    private static final int ASCII_MAX = 0x7F;
    private static final String LOCAL_PART_LETTERS = "slSL";
    private static final Pattern MACRO = Pattern.compile("%(?:[%_-]|\\{([A-Za-z])(\\d*)([rR]?)([-.+,/_=]*)})");

    /**
     * Expands a domain-spec, without labels on the left if it is too long.
     *
     * @param domain the current domain
     * @param validated looks up the client's validated name
     */
    String expand(String domainSpec, String domain, Supplier<String> validated) {
        String name = domainSpec.indexOf('%') < 0
                ? domainSpec
                : MACRO.matcher(domainSpec)
                        .replaceAll(macro -> Matcher.quoteReplacement(expanded(macro, domain, validated)));
        String rooted = DomainNames.withoutLastDot(name);
        int excess = rooted.length() - DOMAIN_CHARACTERS_MAX;
        return excess > 0 ? rooted.substring(rooted.indexOf('.', excess - 1) + 1) : rooted;
    }

    /** Whether a term with this domain-spec matches nothing: no name can have a local part that is not ASCII (RFC 8616 §4). */
    boolean hasNoName(String domainSpec) {
        return domainSpec.indexOf('%') >= 0
                && localPart.chars().anyMatch(c -> c > ASCII_MAX)
                && MACRO.matcher(domainSpec)
                        .results()
                        .anyMatch(macro -> macro.group(1) != null && LOCAL_PART_LETTERS.contains(macro.group(1)));
    }

    private String expanded(MatchResult macro, String domain, Supplier<String> validated) {
        return switch (macro.group()) {
            case "%%" -> "%";
            case "%_" -> " ";
            case "%-" -> "%20";
            default -> {
                char letter = macro.group(1).charAt(0);
                String value = transformed(value(Character.toLowerCase(letter), domain, validated), macro);
                yield Character.isUpperCase(letter) ? escaped(value) : value;
            }
        };
    }

    private static String escaped(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A")
                .replace("%7E", "~");
    }

    private String value(char letter, String domain, Supplier<String> validated) {
        return switch (letter) {
            case 's' -> localPart + '@' + senderDomain;
            case 'l' -> localPart;
            case 'o' -> senderDomain;
            case 'd' -> domain;
            case 'i' -> dotted();
            case 'p' -> validated.get();
            case 'v' -> client instanceof Inet6Address ? "ip6" : "in-addr";
            default -> helo;
        };
    }

    /** The client's address as in {@code %{i}}: an IPv6 address as 32 nibbles. */
    private String dotted() {
        return client instanceof Inet6Address
                ? String.join(".", HexFormat.of().formatHex(client.getAddress()).split(""))
                : client.getHostAddress();
    }

    /** The name of the client's PTR records. */
    String reverseName() {
        List<String> parts = List.of(dotted().split("\\."));
        return String.join(".", parts.reversed()) + (client instanceof Inet6Address ? ".ip6.arpa" : ".in-addr.arpa");
    }

    private static String transformed(String value, MatchResult macro) {
        String separators = macro.group(4).isEmpty() ? "." : macro.group(4);
        List<String> parts = List.of(value.split("[" + Pattern.quote(separators) + "]", -1));
        if (!macro.group(3).isEmpty()) {
            parts = parts.reversed();
        }
        if (!macro.group(2).isEmpty()) {
            int count = new BigInteger(macro.group(2)).min(PARTS_MAX).intValueExact();
            parts = parts.subList(Math.max(0, parts.size() - count), parts.size());
        }
        return String.join(".", parts);
    }
}
