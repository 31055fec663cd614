package dev.oneshot.message;

import java.util.ArrayList;
import java.util.List;

/** Walks the parts of one message (RFC 2046 §5.1) and sorts its leaves into bodies and attachments. */
final class PartWalk {

    private static final String TEXT = "text/plain";

    private final byte[] octets;
    private final int base;
    private final int end;
    private final MessageLimits limits;
    private final Boundaries boundaries = new Boundaries();

    private final List<Leaf> text = new ArrayList<>();
    private final List<Leaf> html = new ArrayList<>();
    private final List<Leaf> otherText = new ArrayList<>();
    private final List<Attachment> attachments = new ArrayList<>();
    private int parts;
    private boolean complete = true;

    PartWalk(byte[] octets, int base, int end, MessageLimits limits) {
        this.octets = octets;
        this.base = base;
        this.end = end;
        this.limits = limits;
    }

    /**
     * The plain text. Texts of other types (text/calendar, text/enriched) are attachments, but where a mail has nothing
     * else to read they are its text as well.
     */
    List<Leaf> text() {
        return text.isEmpty() && html.isEmpty() ? otherText : text;
    }

    List<Leaf> html() {
        return html;
    }

    List<Attachment> attachments() {
        return attachments;
    }

    boolean complete() {
        return complete;
    }

    /** Walks the whole message. @return its header */
    HeaderBlock message() {
        return part(base, TEXT, 0);
    }

    /** Reads the part at {@code start}; {@link #boundaries} then stand at the delimiter that ended it. */
    private HeaderBlock part(int start, String defaultType, int depth) {
        parts++;
        HeaderBlock block = HeaderBlock.scan(octets, start, end, limits, boundaries);
        complete &= block.complete();
        PartHeader header = PartHeader.of(block, defaultType);
        if (header.isMultipart()) {
            multipart(block, header, depth);
        } else {
            boundaries.seek(octets, block.bodyStart(), end);
            int from = block.bodyStart();
            if (block.strayTail() >= 0 && Octets.isLineEnds(octets, from, contentEnd(from))) {
                from = block.strayTail();
            }
            leaf(header, from, contentEnd(from));
        }
        return block;
    }

    private void multipart(HeaderBlock block, PartHeader header, int depth) {
        if (depth == limits.depthMax()) {
            complete = false;
            boundaries.seek(octets, block.bodyStart(), end);
            return;
        }
        byte[] boundary = Boundaries.trimmed(header.contentType().rawOrDecoded("boundary"));
        int from = bodyStart(block, boundary);
        if (boundary.length == 0) {
            boundaries.seek(octets, from, end);
        } else if (children(boundary, from, header, depth)) {
            return;
        }
        int to = contentEnd(from);
        byte[] guess = boundary.length == 0 ? boundary : Boundaries.guess(octets, from, to);
        if (guess.length == 0 || !children(guess, from, header, depth)) {
            // Parts that nobody can find: better one body too many than a mail without its text.
            leaf(new PartHeader(TEXT, ParameterList.parse(new byte[0]), "", "", header.encoding()), from, to);
        }
    }

    /** Where the parts may begin: at the first delimiter even if the empty line before it is missing. */
    private int bodyStart(HeaderBlock block, byte[] boundary) {
        int line = block.firstDashLine();
        if (line < 0 || boundary.length == 0) {
            return block.bodyStart();
        }
        Boundaries own = new Boundaries();
        own.push(boundary);
        own.seek(octets, line, block.bodyStart());
        return own.level() == Boundaries.NO_LEVEL ? block.bodyStart() : own.lineStart();
    }

    /**
     * Reads the parts of a multipart; {@link #boundaries} then stand at the delimiter that ended it.
     *
     * @return false if there are none
     */
    private boolean children(byte[] boundary, int from, PartHeader header, int depth) {
        String defaultType = header.type().equals("multipart/digest") ? "message/rfc822" : TEXT;
        int level = boundaries.push(boundary);
        boundaries.seek(octets, from, end);
        boolean found = boundaries.level() == level && !boundaries.last();
        while (boundaries.level() == level && !boundaries.last()) {
            if (parts == limits.partsMax()) {
                complete = false;
                boundaries.seek(octets, end, end);
            } else {
                part(boundaries.next(), defaultType, depth + 1);
            }
        }
        boolean closed = boundaries.level() == level;
        boundaries.pop();
        if (closed) {
            boundaries.seek(octets, boundaries.next(), end);
        }
        return found;
    }

    /**
     * The line end before a delimiter belongs to it (RFC 2046 §5.1.1); where the last one is missing, the end of the
     * message stands for it.
     */
    private int contentEnd(int from) {
        int to = boundaries.lineStart();
        if (!boundaries.inside()) {
            return to;
        }
        if (to > from && octets[to - 1] == '\n') {
            to--;
            if (to > from && octets[to - 1] == '\r') {
                to--;
            }
        }
        return to;
    }

    private void leaf(PartHeader header, int from, int to) {
        TransferEncoding encoding = header.encoding();
        if (encoding == TransferEncoding.UUENCODE && !UuDecoder.hasBegin(octets, from, to)) {
            encoding = TransferEncoding.IDENTITY;
        }
        Leaf leaf = new Leaf(from - base, Math.max(0, to - from), encoding, header.charset());
        boolean filed =
                header.disposition().equals("attachment") || !header.filename().isEmpty();
        boolean attachment = filed || !header.isBodyText();
        if (!filed && attachment && header.type().startsWith("text/") && leaf.length() > 0) {
            otherText.add(leaf);
        }
        if (attachment) {
            attachments.add(new Attachment(
                    Filenames.safe(header.filename(), attachments.size() + 1, header.type()),
                    header.type(),
                    leaf,
                    encoding.decodedLength(octets, from, leaf.length())));
        } else if (leaf.length() > 0) {
            (header.type().equals("text/html") ? html : text).add(leaf);
        }
    }
}
