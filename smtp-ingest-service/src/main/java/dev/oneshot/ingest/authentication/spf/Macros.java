package dev.oneshot.ingest.authentication.spf;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Expands macros (RFC 7208 §7).
 *
 * @param helo the client's name in HELO
 * @param localPart of the sender
 * @param senderDomain of the sender, not of the record
 */
record Macros(InetAddress client, String helo, String localPart, String senderDomain) {

    private static final int DOMAIN_CHARACTERS_MAX = 253;
    private static final Pattern MACRO = Pattern.compile("%(?:([%_-])|\\{([A-Za-z])(\\d*)([rR]?)([-.+,/_=]*)})");

    /**
     * Expands a domain-spec, without labels on the left if it is too long.
     *
     * @param domain the current domain
     * @param validated finds the client's validated name, which takes look-ups
     * @throws SpfException if a number of parts is 0
     */
    String expand(String domainSpec, String domain, Supplier<String> validated) throws SpfException {
        StringBuilder expanded = new StringBuilder();
        Matcher macro = MACRO.matcher(domainSpec);
        int at = 0;
        while (macro.find()) {
            expanded.append(domainSpec, at, macro.start());
            at = macro.end();
            if (macro.group(1) != null) {
                expanded.append(
                        switch (macro.group(1)) {
                            case "%" -> "%";
                            case "_" -> " ";
                            default -> "%20";
                        });
                continue;
            }
            char letter = macro.group(2).charAt(0);
            String value = transformed(
                    value(Character.toLowerCase(letter), domain, validated),
                    macro.group(3),
                    !macro.group(4).isEmpty(),
                    macro.group(5));
            expanded.append(
                    Character.isUpperCase(letter)
                            ? URLEncoder.encode(value, StandardCharsets.UTF_8)
                                    .replace("+", "%20")
                                    .replace("*", "%2A")
                                    .replace("%7E", "~")
                            : value);
        }
        expanded.append(domainSpec, at, domainSpec.length());
        return fitting(expanded.toString());
    }

    private static String fitting(String name) {
        int end = name.endsWith(".") ? name.length() - 1 : name.length();
        int from = 0;
        int dot = name.indexOf('.');
        while (end - from > DOMAIN_CHARACTERS_MAX && dot >= 0 && dot < end) {
            from = dot + 1;
            dot = name.indexOf('.', from);
        }
        return name.substring(from, end);
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
                ? HexFormat.of()
                        .formatHex(client.getAddress())
                        .chars()
                        .mapToObj(Character::toString)
                        .collect(Collectors.joining("."))
                : client.getHostAddress();
    }

    /** The name under which the client's names are. */
    String reverseName() {
        List<String> parts = new ArrayList<>(Arrays.asList(dotted().split("\\.")));
        Collections.reverse(parts);
        return String.join(".", parts) + (client instanceof Inet6Address ? ".ip6.arpa" : ".in-addr.arpa");
    }

    private static String transformed(String value, String digits, boolean reversed, String delimiters)
            throws SpfException {
        String separators = delimiters.isEmpty() ? "." : delimiters;
        List<String> parts = new ArrayList<>(Arrays.asList(value.split("[" + Pattern.quote(separators) + "]", -1)));
        if (reversed) {
            Collections.reverse(parts);
        }
        if (!digits.isEmpty()) {
            int count = Integer.parseInt(digits);
            if (count == 0) {
                throw SpfException.permanent();
            }
            parts = parts.subList(Math.max(0, parts.size() - count), parts.size());
        }
        return String.join(".", parts);
    }
}
