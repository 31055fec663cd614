package dev.oneshot.message;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Reads the structure of a message: RFC 5322 header fields and RFC 2046 parts, as offsets into the octets.
 *
 * <p>Every message is readable: common mistakes are read as mail programs read them, other broken parts become body
 * text or stay in the raw message only. Time is linear in the length, memory is bounded by the limits, and no content
 * causes an exception. Stateless; safe for any number of threads.
 */
public final class MessageReader {

    /** Decodes to the octets that {@link MetaCharset} reads, in any transfer encoding. */
    private static final int HTML_OCTETS_MAX = 4 * MetaCharset.OCTETS_MAX;

    private MessageReader() {}

    /**
     * The structure of the message in {@code octets[offset .. offset + length)}; offsets in the result count from
     * {@code offset}. The octets are only read.
     *
     * @throws IndexOutOfBoundsException if the range is not inside the array
     */
    public static MessageStructure read(byte[] octets, int offset, int length, MessageLimits limits) {
        return read(octets, offset, length, 0, limits);
    }

    /**
     * The structure of a message behind trace fields (RFC 5321 §4.4).
     *
     * @param traceLength the octets before the sender's: the trace fields, and an empty line if the sender's octets
     *     begin with a blank, which would continue the last field. That empty line does not end the header section.
     * @throws IndexOutOfBoundsException if the range is not inside the array, or the trace fields not inside the
     *     range
     */
    public static MessageStructure read(byte[] octets, int offset, int length, int traceLength, MessageLimits limits) {
        Objects.checkFromIndexSize(offset, length, octets.length);
        Objects.checkFromIndexSize(0, traceLength, length);
        Objects.requireNonNull(limits, "limits");
        PartWalk walk = new PartWalk(octets, offset, offset + length, limits, "");
        HeaderBlock header = walk.message(traceLength);
        // Some programs write the header in the charset of the text.
        boolean raw = walk.hasUnlabelledParameters() || !Lines.isAscii(octets, offset, header.bodyStart());
        String hint = raw ? charset(walk.text(), walk.html(), octets, offset) : "";
        if (walk.hasUnlabelledParameters() && !hint.isEmpty()) {
            // Parts before the text have file names in its charset too.
            walk = new PartWalk(octets, offset, offset + length, limits, hint);
            header = walk.message(traceLength);
        }
        List<HeaderField> fields = new ArrayList<>(header.count());
        for (int i = 0; i < header.count(); i++) {
            fields.add(new HeaderField(header.name(i), HeaderText.decode(header.value(i), hint)));
        }
        return new MessageStructure(
                fields, from(header), subject(fields), walk.text(), walk.html(), walk.attachments(), walk.complete());
    }

    /**
     * The first charset that a label of a body names, otherwise the one that the HTML's own content names; empty if neither
     * does. Header fields are not in UTF-16, whatever the body is in.
     */
    private static String charset(List<Leaf> text, List<Leaf> html, byte[] octets, int offset) {
        return Stream.concat(text.stream(), html.stream())
                .map(Leaf::charset)
                .filter(label -> !Charsets.isUndecided(label))
                .map(Charsets::namedInText)
                .filter(label -> !label.isEmpty())
                .findFirst()
                .or(() -> html.stream().findFirst().map(leaf -> {
                    int from = offset + leaf.offset();
                    int length = Math.min(leaf.length(), HTML_OCTETS_MAX);
                    return MetaCharset.of(
                            leaf.transferEncoding().decode(Arrays.copyOfRange(octets, from, from + length)));
                }))
                .orElse("");
    }

    /**
     * RFC 5322 §3.6 allows one From field. If there are more, the first with an address counts. Some mail servers send
     * notifications from a local part alone, which counts if there is no address.
     */
    private static String from(HeaderBlock header) {
        List<byte[]> values = header.values("from");
        String address = first(values, Mailboxes::first);
        return address.isEmpty() ? first(values, Mailboxes::firstLocalPart) : address;
    }

    private static String first(List<byte[]> values, Function<byte[], String> address) {
        return values.stream()
                .map(address)
                .filter(found -> !found.isEmpty())
                .findFirst()
                .orElse("");
    }

    private static String subject(List<HeaderField> fields) {
        for (HeaderField field : fields) {
            if (field.name().equalsIgnoreCase("subject")) {
                return field.value();
            }
        }
        return "";
    }
}
