package dev.oneshot.mailer.compose;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Unstructured text in a header field: literal if possible, else in encoded words (RFC 2047 §2, §5). */
final class UnstructuredField {

    /** Words of visible ASCII that fit into a line, with few spaces between them and none before or after them. */
    private static final Pattern PLAIN = Pattern.compile("[!-~]{1,900}+( {1,40}+[!-~]{1,900}+)*+");

    /** Text before a single space, where a line may be folded: unfolding keeps the space. */
    private static final Pattern LINE = Pattern.compile(".{40,}?[^ ](?= )");

    /**
     * The text of one encoded word. Nine characters have at most 36 bytes in UTF-8, and these make an encoded word of 60
     * characters, so a line that also has {@code Subject:} has at most 76 (RFC 2047 §2).
     */
    private static final Pattern ENCODED_WORD_TEXT = Pattern.compile(".{1,9}", Pattern.DOTALL);

    private UnstructuredField() {}

    /** The field {@code name: text}, folded where the text allows it. */
    static String of(String name, String text) {
        if (text.isEmpty()) {
            return name + ":";
        }
        boolean plain = !text.contains("=?") && PLAIN.matcher(text).matches();
        return name + ": " + (plain ? LINE.matcher(text).replaceAll("$0\r\n") : encoded(text));
    }

    /** In encoded words, one a line; no character is split. */
    static String encoded(String text) {
        return ENCODED_WORD_TEXT
                .matcher(text)
                .results()
                .map(word -> word.group().getBytes(StandardCharsets.UTF_8))
                .map(octets -> "=?utf-8?B?" + Base64.getEncoder().encodeToString(octets) + "?=")
                .collect(Collectors.joining("\r\n "));
    }
}
