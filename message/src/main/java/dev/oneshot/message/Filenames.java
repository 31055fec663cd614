package dev.oneshot.message;

/**
 * File names as senders wrote them, without a path. A writer of header fields must replace characters that a field
 * cannot have.
 */
public final class Filenames {

    /** In UTF-16 code units. Far above what file systems take; bounds the memory for mails with many attachments. */
    static final int CHARACTERS_MAX = 512;

    private static final int EXTENSION_CHARACTERS_MAX = 16;

    private Filenames() {}

    /** The sender's name, or {@code attachment-<number>} with the extension of the type if there is none. */
    static String of(String text, int number, String type) {
        String name = of(text);
        return name.isEmpty() ? "attachment-" + number + FileExtensions.of(type) : name;
    }

    /**
     * The last element of a path, at most {@value #CHARACTERS_MAX} characters of it; empty if there is none.
     *
     * @param text one line without control characters
     */
    public static String of(String text) {
        int slash = Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\'));
        String name = text.substring(slash + 1).strip();
        return name.equals(".") || name.equals("..") ? "" : shortened(name);
    }

    /** Keeps the extension, and splits no surrogate pair. */
    private static String shortened(String name) {
        if (name.length() <= CHARACTERS_MAX) {
            return name;
        }
        int dot = name.lastIndexOf('.');
        String extension = name.length() - dot <= EXTENSION_CHARACTERS_MAX ? name.substring(dot) : "";
        int length = CHARACTERS_MAX - extension.length();
        int whole = Character.isHighSurrogate(name.charAt(length - 1)) ? length - 1 : length;
        return name.substring(0, whole).stripTrailing() + extension;
    }
}
