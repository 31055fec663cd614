package dev.oneshot.api.inbox;

import java.util.regex.Pattern;

/** Text that PostgreSQL and JSON can carry: without unpaired surrogates, and for PostgreSQL without U+0000. Mail may have both. */
final class StorableText {

    private static final Pattern FOREIGN = Pattern.compile("[\\x00\\p{Cs}]");

    private StorableText() {}

    /** The text with U+FFFD for each of those; the same object if there is none. */
    static String of(String text) {
        return FOREIGN.matcher(text).replaceAll("\uFFFD");
    }
}
