package dev.oneshot.authentication.results;

/**
 * The characters of a text, read once, as a reader sees them. Characters that IDNA treats as a dot (RFC 3490 §3.1) are
 * dots. Those that readers do not show are skipped, or are blanks: control and format characters, bare CRs, Unicode's
 * Default_Ignorable_Code_Point, and bytes that are not UTF-8.
 */
final class ShownText {

    private static final String DOTS = "\u3002\uFF0E\uFF61";
    private static final int END = -1;
    private static final int NOT_READ = -2;

    private final String text;
    private final boolean blanks;
    private int at;
    private int peeked = NOT_READ;
    private boolean hidden;

    /** @param blanks whether a character that is not shown is a blank */
    ShownText(String text, boolean blanks) {
        this.text = text;
        this.blanks = blanks;
    }

    /** Whether one of the characters so far is not shown. */
    boolean hasHidden() {
        return hidden;
    }

    /** The next UTF-16 unit; negative at the end. */
    int next() {
        int next = peek();
        peeked = NOT_READ;
        return next;
    }

    int peek() {
        if (peeked == NOT_READ) {
            peeked = read();
        }
        return peeked;
    }

    private int read() {
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c > ' ' && c < 0x7F) {
                return c;
            }
            int point = text.codePointAt(at - 1);
            boolean isBareCarriageReturn = c == '\r' && !text.startsWith("\n", at);
            if (!isBareCarriageReturn && !isHidden(point)) {
                return DOTS.indexOf(c) >= 0 ? '.' : c;
            }
            hidden = true;
            at += Character.charCount(point) - 1;
            if (blanks) {
                return ' ';
            }
        }
        return END;
    }

    private static boolean isHidden(int c) {
        int type = Character.getType(c);
        boolean isControl = type == Character.CONTROL && c != '\t' && c != '\n' && c != '\r';
        return isControl || type == Character.FORMAT || (c > 0x7F && isIgnorable(c));
    }

    private static boolean isIgnorable(int c) {
        return switch (c) {
            case 0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2065, 0x3164, 0xFFA0 -> true;
            default ->
                (c >= 0x180B && c <= 0x180F)
                        || (c >= 0xFE00 && c <= 0xFE0F)
                        || (c >= 0xFFF0 && c <= 0xFFFD)
                        || (c >= 0x1BCA0 && c <= 0x1BCA3)
                        || (c >= 0x1D173 && c <= 0x1D17A)
                        || (c >= 0xE0000 && c <= 0xE0FFF);
        };
    }
}
