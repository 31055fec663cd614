package dev.oneshot.fuzz;

import com.sun.management.ThreadMXBean;
import dev.oneshot.message.Attachment;
import dev.oneshot.message.HeaderField;
import dev.oneshot.message.Leaf;
import dev.oneshot.message.MessageLimits;
import dev.oneshot.message.MessageReader;
import dev.oneshot.message.MessageStructure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The laws of the message reader for any octets: it never throws, stays inside the message and inside its bounds, says
 * of every attachment what decoding it yields, and gives out nothing that forges a line or a path.
 */
public final class ParserTarget {

    private static final MessageLimits TIGHT = new MessageLimits(6, 2, 8, 400);
    private static final int SHIFT = 7;
    private static final int PIECE = 13;

    /** Beside what each octet costs, the buffers of {@link MessageLimits#DEFAULTS} parts. */
    private static final long ALLOCATION_BASE_BYTES = 2L << 20;

    private static final long ALLOCATION_BYTES_PER_OCTET = 300;
    private static final int FILENAME_CHARACTERS_MAX = 255;
    private static final Pattern CONTENT_TYPE = Pattern.compile("[!-~]+/[!-~]+");
    private static final Pattern NOT_IN_FILENAME = Pattern.compile("[/\\\\\\p{Cntrl}\\x{2028}\\x{2029}]");
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private ParserTarget() {}

    /** Tries one message. */
    public static void fuzzerTestOneInput(byte[] octets) {
        MessageStructure structure = readWithinAllocation(octets);
        check(octets, structure);
        shifted(octets, structure);
        MessageStructure tight = MessageReader.read(octets, 0, octets.length, TIGHT);
        check(octets, tight);
        Law.requires(tight.headers().size() <= TIGHT.headerFieldsMax(), () -> "more header fields than the bound");
        Law.requires(tight.attachments().size() <= TIGHT.partsMax(), () -> "more attachments than parts");
        if (tight.complete()) {
            Law.requires(tight.equals(structure), () -> "complete, and yet read otherwise than without a bound");
        }
    }

    private static MessageStructure readWithinAllocation(byte[] octets) {
        MessageStructure structure = MessageReader.read(octets, 0, octets.length, MessageLimits.DEFAULTS);
        // Only now, as the first reading may have loaded classes, which the fuzzer rewrites on this thread.
        long before = THREADS.getCurrentThreadAllocatedBytes();
        MessageStructure again = MessageReader.read(octets, 0, octets.length, MessageLimits.DEFAULTS);
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        Law.requires(
                allocated <= ALLOCATION_BASE_BYTES + ALLOCATION_BYTES_PER_OCTET * octets.length,
                () -> allocated + " octets allocated for a message of " + octets.length);
        Law.requires(structure.equals(again), () -> "read otherwise the second time");
        return structure;
    }

    /** Where a message lies in its array makes no difference, nor what lies around it. */
    private static void shifted(byte[] octets, MessageStructure structure) {
        byte[] surrounded = new byte[octets.length + 2 * SHIFT];
        Arrays.fill(surrounded, (byte) '-');
        System.arraycopy(octets, 0, surrounded, SHIFT, octets.length);
        Law.requires(
                structure.equals(MessageReader.read(surrounded, SHIFT, octets.length, MessageLimits.DEFAULTS)),
                () -> "read otherwise at another place");
    }

    private static void check(byte[] octets, MessageStructure structure) {
        Set<Leaf> seen = new HashSet<>();
        for (Leaf leaf : leaves(structure)) {
            check(octets, leaf);
            Law.requires(leaf.length() == 0 || seen.add(leaf), () -> leaf + " is in two places");
        }
        for (Attachment attachment : structure.attachments()) {
            check(octets, attachment);
        }
        isLine("from", structure.from());
        isLine("subject", structure.subject());
        for (HeaderField field : structure.headers()) {
            isLine("header name", field.name());
            isLine("header value", field.value());
        }
    }

    private static void check(byte[] octets, Leaf leaf) {
        Law.requires(
                leaf.offset() + (long) leaf.length() <= octets.length, () -> leaf + " of " + octets.length + " octets");
        byte[] slice = Arrays.copyOfRange(octets, leaf.offset(), leaf.offset() + leaf.length());
        byte[] decoded = decoded(leaf, new ByteArrayInputStream(slice));
        byte[] decodedInPieces = decoded(leaf, new InPieces(slice));
        Law.requires(Arrays.equals(decoded, decodedInPieces), () -> leaf + " decodes otherwise in pieces");
        int counted = leaf.transferEncoding().decodedLength(octets, leaf.offset(), leaf.length());
        Law.requires(
                counted == decoded.length,
                () -> leaf + " counts as " + counted + " octets and decodes to " + decoded.length);
        String text = leaf.text(slice);
        Law.requires(!text.contains("\r\n"), () -> leaf + " has CRLF in its text");
        isUnicode("text", text);
    }

    private static void check(byte[] octets, Attachment attachment) {
        Leaf leaf = attachment.content();
        int decoded = leaf.transferEncoding().decodedLength(octets, leaf.offset(), leaf.length());
        Law.requires(attachment.sizeBytes() == decoded, () -> attachment + " decodes to " + decoded + " octets");
        String filename = attachment.filename();
        isLine("filename", filename);
        boolean element = !filename.isBlank()
                && !filename.equals(".")
                && !filename.equals("..")
                && filename.length() <= FILENAME_CHARACTERS_MAX
                && !NOT_IN_FILENAME.matcher(filename).find();
        Law.requires(element, () -> "no element of a path: " + filename);
        Law.requires(
                CONTENT_TYPE.matcher(attachment.contentType()).matches(),
                () -> "no content type: " + attachment.contentType());
    }

    private static List<Leaf> leaves(MessageStructure structure) {
        List<Leaf> leaves = new ArrayList<>(structure.text());
        leaves.addAll(structure.html());
        structure.attachments().forEach(attachment -> leaves.add(attachment.content()));
        return leaves;
    }

    private static byte[] decoded(Leaf leaf, InputStream encoded) {
        try (InputStream decoding = leaf.transferEncoding().decoding(encoded)) {
            return decoding.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void isLine(String what, String text) {
        Law.requires(text.chars().noneMatch(Character::isISOControl), () -> what + " has a control character: " + text);
        isUnicode(what, text);
    }

    /** Any database and any encoder takes it. */
    private static void isUnicode(String what, String text) {
        Law.requires(
                new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8).equals(text),
                () -> what + " has half a surrogate pair: " + text);
    }

    /** Yields a few octets at a time. */
    private static final class InPieces extends ByteArrayInputStream {

        InPieces(byte[] octets) {
            super(octets);
        }

        @Override
        public synchronized int read(byte[] into, int offset, int length) {
            return super.read(into, offset, Math.min(length, PIECE));
        }
    }
}
