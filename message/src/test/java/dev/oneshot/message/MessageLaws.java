package dev.oneshot.message;

import dev.oneshot.testing.Law;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Laws of the message reader for any input: it stays inside the message, it reports the decoded size of every attachment, and
 * nothing it returns forges a line or a path.
 */
public final class MessageLaws {

    private static final int PIECE_MAX = 7;
    private static final int SHIFT = 7;
    private static final int FILENAME_CHARACTERS_MAX = 512;
    private static final Pattern CONTENT_TYPE = Pattern.compile("[!-~]+/[!-~]+");
    private static final Pattern NOT_IN_FILENAME = Pattern.compile("[/\\\\\\p{Cntrl}\\x{2028}\\x{2029}]");

    private MessageLaws() {}

    /** Fails if this message breaks a law; else returns its structure. */
    public static MessageStructure check(byte[] input, MessageLimits limits) {
        MessageStructure structure = MessageReader.read(input, 0, input.length, limits);
        byte[] surrounded = new byte[input.length + 2 * SHIFT];
        Arrays.fill(surrounded, (byte) '-');
        System.arraycopy(input, 0, surrounded, SHIFT, input.length);
        Law.requires(
                structure.equals(MessageReader.read(surrounded, SHIFT, input.length, limits)),
                () -> "read differently at another place, or the second time");
        Set<Leaf> seen = new HashSet<>();
        for (Leaf leaf : leaves(structure)) {
            check(input, leaf);
            Law.requires(leaf.length() == 0 || seen.add(leaf), () -> leaf + " is in two places");
        }
        for (Attachment attachment : structure.attachments()) {
            check(input, attachment);
        }
        isLine("from", structure.from());
        isLine("subject", structure.subject());
        for (HeaderField field : structure.headers()) {
            isLine("header name", field.name());
            isLine("header value", field.value());
        }
        return structure;
    }

    /** Fails if this part of a message breaks a law. */
    static void check(byte[] input, Leaf leaf) {
        Law.requires(
                leaf.offset() + (long) leaf.length() <= input.length, () -> leaf + " of " + input.length + " bytes");
        byte[] slice = Arrays.copyOfRange(input, leaf.offset(), leaf.offset() + leaf.length());
        byte[] decoded = leaf.transferEncoding().decode(slice);
        Law.requires(
                Arrays.equals(decoded, decodedInPieces(leaf, slice)), () -> leaf + " decodes differently in pieces");
        int counted = leaf.transferEncoding().decodedLength(input, leaf.offset(), leaf.length());
        Law.requires(
                counted == decoded.length,
                () -> leaf + " counts as " + counted + " bytes and decodes to " + decoded.length);
        String text = leaf.text(slice);
        Law.requires(!text.contains("\r\n"), () -> leaf + " has CRLF in its text");
        isUnicode("text", text);
    }

    private static void check(byte[] input, Attachment attachment) {
        Leaf leaf = attachment.content();
        int decoded = leaf.transferEncoding().decodedLength(input, leaf.offset(), leaf.length());
        Law.requires(attachment.sizeBytes() == decoded, () -> attachment + " decodes to " + decoded + " bytes");
        String filename = attachment.filename();
        isElementOfAPath(filename);
        Law.requires(
                CONTENT_TYPE.matcher(attachment.contentType()).matches(),
                () -> "no content type: " + attachment.contentType());
    }

    static void isElementOfAPath(String filename) {
        isLine("filename", filename);
        Law.requires(filename.equals(Filenames.of(filename)), () -> "a filename that would change: " + filename);
        boolean element = !filename.isBlank()
                && !filename.equals(".")
                && !filename.equals("..")
                && filename.length() <= FILENAME_CHARACTERS_MAX
                && !NOT_IN_FILENAME.matcher(filename).find();
        Law.requires(element, () -> "no element of a path: " + filename);
    }

    private static List<Leaf> leaves(MessageStructure structure) {
        List<Leaf> leaves = new ArrayList<>(structure.text());
        leaves.addAll(structure.html());
        structure.attachments().forEach(attachment -> leaves.add(attachment.content()));
        return leaves;
    }

    /** Reads a few bytes at a time, and takes them one by one and several at once. */
    private static byte[] decodedInPieces(Leaf leaf, byte[] slice) {
        InputStream pieces = new ByteArrayInputStream(slice) {
            private int reads;

            @Override
            public synchronized int read(byte[] into, int offset, int length) {
                return super.read(into, offset, Math.min(length, 1 + reads++ % PIECE_MAX));
            }
        };
        ByteArrayOutputStream octets = new ByteArrayOutputStream();
        try (InputStream decoding = leaf.transferEncoding().decoding(pieces)) {
            for (int octet = decoding.read(); octet >= 0; octet = decoding.read()) {
                octets.write(octet);
                octets.writeBytes(decoding.readNBytes(2 * PIECE_MAX));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return octets.toByteArray();
    }

    private static void isLine(String what, String text) {
        Law.requires(text.chars().noneMatch(Character::isISOControl), () -> what + " has a control character: " + text);
        isUnicode(what, text);
    }

    /** Every database and every encoder accepts it. */
    private static void isUnicode(String what, String text) {
        Law.requires(
                new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8).equals(text),
                () -> what + " has an unpaired surrogate: " + text);
    }
}
