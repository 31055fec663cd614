package dev.oneshot.message;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A message and its structure, decoded as for a client of the API. */
final class ReadMessage {

    private final byte[] octets;
    private final MessageStructure structure;

    private ReadMessage(byte[] octets, MessageStructure structure) {
        this.octets = octets;
        this.structure = structure;
    }

    /** An attachment by its content. */
    record File(
            String filename,
            String contentType,
            int sizeBytes,
            String sha256,
            @Nullable String contentId,
            @Nullable String contentLocation) {}

    static ReadMessage of(byte[] octets) {
        return of(octets, MessageLimits.DEFAULTS);
    }

    static ReadMessage of(byte[] octets, MessageLimits limits) {
        return new ReadMessage(octets, MessageReader.read(octets, 0, octets.length, limits));
    }

    /** A message given as text with LF line ends; each character is one octet. */
    static ReadMessage of(String message) {
        return of(octets(message));
    }

    static byte[] octets(String message) {
        return message.replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }

    MessageStructure structure() {
        return structure;
    }

    String text() {
        return body(structure.text(), Leaf::text);
    }

    String html() {
        return body(structure.html(), Leaf::html);
    }

    List<File> attachments() {
        return structure.attachments().stream().map(this::file).toList();
    }

    byte[] decoded(Leaf leaf) {
        return leaf.transferEncoding().decode(slice(leaf));
    }

    byte[] slice(Leaf leaf) {
        return Arrays.copyOfRange(octets, leaf.offset(), leaf.offset() + leaf.length());
    }

    private String body(List<Leaf> leaves, BiFunction<Leaf, byte[], String> decoding) {
        return BodyText.join(
                leaves.stream().map(leaf -> decoding.apply(leaf, slice(leaf))).toList());
    }

    private File file(Attachment attachment) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(decoded(attachment.content()));
            return new File(
                    attachment.filename(),
                    attachment.contentType(),
                    attachment.sizeBytes(),
                    HexFormat.of().formatHex(hash),
                    attachment.contentId(),
                    attachment.contentLocation());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
