package dev.oneshot.api.inbox;

/**
 * Text as PostgreSQL and JSON can carry it. Neither allows half a surrogate pair, and PostgreSQL's text no U+0000.
 * Mail may have both.
 */
final class StorableText {

    private static final char REPLACEMENT = '\uFFFD';

    private StorableText() {}

    /** The text with U+FFFD for each of those; the same object if there is none. */
    static String of(String text) {
        if (text.codePoints().noneMatch(StorableText::isForeign)) {
            return text;
        }
        StringBuilder storable = new StringBuilder(text.length());
        text.codePoints().forEach(c -> storable.appendCodePoint(isForeign(c) ? REPLACEMENT : c));
        return storable.toString();
    }

    private static boolean isForeign(int codePoint) {
        return codePoint == 0 || (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE);
    }
}
