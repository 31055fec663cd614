package dev.oneshot.message;

import java.util.ArrayList;
import java.util.List;

/** Walks the parts of one message (RFC 2046 §5.1) and sorts its leaves into bodies and attachments. */
final class PartWalk {

    private static final String TEXT = "text/plain";
    private static final String HTML = "text/html";

    /** An attachment may lie in several multiparts of its own. */
    private static final int MULTIPARTS_PER_PART = 4;

    /** Of all Content-IDs and Content-Locations together. Bounds the structure: some 50 images may have the longest ones. */
    private static final int IDENTIFIERS_CHARACTERS_MAX = 100_000;

    private final byte[] octets;
    private final int base;
    private final int end;
    private final MessageLimits limits;
    private final String hint;
    private final Boundaries boundaries = new Boundaries();

    private final List<Leaf> text = new ArrayList<>();
    private final List<Leaf> html = new ArrayList<>();
    private final List<Candidate> candidates = new ArrayList<>();
    /** Whether there is text with a name that is not marked as a file. */
    private boolean named;
    /** Whether a body has more than blanks and line ends. Some programs put blank bodies around a text with a name. */
    private boolean readable;
    /** Whether parameters of a part, such as a file name, may have octets that are not ASCII and whose charset is not named. */
    private boolean hasUnlabelledParameters;

    private int identifiersCharacters;
    private int bodies;
    private int multiparts;
    private boolean complete = true;

    /** How a mail whose bodies are blank or missing uses a leaf that is otherwise an attachment. */
    private enum Otherwise {
        ATTACHMENT,
        /** The plain text: it has a name, but is not marked as a file. */
        TEXT,
        /** The HTML: it has a name, but is not marked as a file. */
        HTML,
        /** The plain text if there are none of the above and no body, not even a blank one: text/calendar, text/csv. */
        TEXT_OF_OTHER_TYPE
    }

    /**
     * A leaf that is an attachment, unless it is text and all other bodies are blank. It keeps nothing else of its
     * header, to bound the memory for mails of many parts with long fields.
     *
     * @param filename without a path; empty if there is none
     * @param contentId empty if there is none
     * @param contentLocation empty if there is none
     */
    private record Candidate(
            String type, String filename, Leaf leaf, String contentId, String contentLocation, Otherwise otherwise) {}

    /** @param hint the charset label of raw 8-bit file names that are not UTF-8; empty if it is not known */
    PartWalk(byte[] octets, int base, int end, MessageLimits limits, String hint) {
        this.octets = octets;
        this.base = base;
        this.end = end;
        this.limits = limits;
        this.hint = hint;
    }

    /** The plain text, or what replaces it in a mail whose bodies are blank or missing. */
    List<Leaf> text() {
        return orElse(text, Otherwise.TEXT, Otherwise.TEXT_OF_OTHER_TYPE);
    }

    /** The HTML, or what replaces it in a mail whose bodies are blank or missing. */
    List<Leaf> html() {
        return orElse(html, Otherwise.HTML);
    }

    private List<Leaf> orElse(List<Leaf> body, Otherwise... roles) {
        List<Leaf> instead = candidates.stream()
                .filter(candidate -> List.of(roles).contains(role(candidate)))
                .map(Candidate::leaf)
                .toList();
        return instead.isEmpty() ? body : instead;
    }

    private Otherwise role(Candidate candidate) {
        boolean hasBetter =
                candidate.otherwise() == Otherwise.TEXT_OF_OTHER_TYPE && (named || !text.isEmpty() || !html.isEmpty());
        return readable || hasBetter ? Otherwise.ATTACHMENT : candidate.otherwise();
    }

    /** The attachments, without those that {@link #text} and {@link #html} return. */
    List<Attachment> attachments() {
        List<Attachment> attachments = new ArrayList<>();
        for (Candidate candidate : candidates) {
            if (role(candidate) == Otherwise.ATTACHMENT) {
                Leaf leaf = candidate.leaf();
                attachments.add(new Attachment(
                        Filenames.of(candidate.filename(), attachments.size() + 1, candidate.type()),
                        candidate.type(),
                        leaf,
                        leaf.transferEncoding().decodedLength(octets, base + leaf.offset(), leaf.length()),
                        candidate.contentId().isEmpty() ? null : candidate.contentId(),
                        candidate.contentLocation().isEmpty() ? null : candidate.contentLocation()));
            }
        }
        return attachments;
    }

    boolean complete() {
        return complete;
    }

    boolean hasUnlabelledParameters() {
        return hasUnlabelledParameters;
    }

    /**
     * Walks the whole message.
     *
     * @param traceLength the length of the trace fields in front
     * @return its header
     */
    HeaderBlock message(int traceLength) {
        HeaderBlock block = HeaderBlock.ofMessage(octets, base, base + traceLength, end, limits);
        part(block, TEXT, 0, false);
        return block;
    }

    /** Reads the part of this header. Afterwards {@link #boundaries} are at the delimiter that ended it. */
    private void part(HeaderBlock block, String defaultType, int depth, boolean attached) {
        complete &= block.complete();
        PartHeader header = PartHeader.of(block, defaultType, hint);
        hasUnlabelledParameters |= header.hasUnlabelledParameters();
        complete &= header.complete();
        if (header.isMultipart()) {
            // RFC 2183 §2.10: the disposition of a multipart applies to all its parts. The message's own is ignored.
            multipart(block, header, depth, attached || (depth > 0 && header.isAttached()));
        } else {
            boundaries.seek(octets, block.bodyStart(), end);
            int from = block.bodyStart();
            if (block.strayTail() >= 0 && Lines.isLineEnds(octets, from, contentEnd(from))) {
                from = block.strayTail();
            }
            leaf(header, from, contentEnd(from), attached);
        }
    }

    private void multipart(HeaderBlock block, PartHeader header, int depth, boolean attached) {
        if (depth == limits.depthMax()) {
            complete = false;
            boundaries.seek(octets, block.bodyStart(), end);
            return;
        }
        if (++multiparts > MULTIPARTS_PER_PART * limits.partsMax()) {
            stop();
            return;
        }
        byte[] boundary = Boundaries.trimmed(header.contentType().rawOrDecoded("boundary"));
        int from = bodyStart(block, boundary);
        if (boundary.length == 0) {
            boundaries.seek(octets, from, end);
        } else if (children(boundary, from, header, depth, attached)) {
            return;
        }
        int to = contentEnd(from);
        byte[] guess = boundary.length == 0 ? boundary : Boundaries.guess(octets, from, to);
        if (guess.length == 0 || !children(guess, from, header, depth, attached)) {
            // No parts were found: too much text is better than a mail without its text.
            leaf(header.ofText(), from, to, attached);
        }
    }

    /** Where the parts may begin: at the first delimiter, even without an empty line before it. */
    private int bodyStart(HeaderBlock block, byte[] boundary) {
        int line = block.firstDashLine();
        if (line < 0 || boundary.length == 0) {
            return block.bodyStart();
        }
        Boundaries own = new Boundaries();
        own.push(boundary);
        own.seek(octets, line, block.bodyStart());
        return own.delimiter().level() == Boundaries.NO_LEVEL
                ? block.bodyStart()
                : own.delimiter().lineStart();
    }

    /**
     * Reads the parts of a multipart. Afterwards {@link #boundaries} are at the delimiter that ended it.
     *
     * @return false if there are none
     */
    private boolean children(byte[] boundary, int from, PartHeader header, int depth, boolean attached) {
        String defaultType = header.type().equals("multipart/digest") ? "message/rfc822" : TEXT;
        int level = boundaries.push(boundary);
        boundaries.seek(octets, from, end);
        boolean found = boundaries.delimiter().level() == level;
        if (found && boundaries.delimiter().last()) {
            // Closed before any part: the text around the delimiter is all there is to read.
            textAround(header, from, attached);
        }
        boolean empty = found && boundaries.delimiter().last();
        while (boundaries.delimiter().level() == level
                && !boundaries.delimiter().last()) {
            HeaderBlock part = HeaderBlock.ofPart(octets, boundaries.delimiter().next(), end, limits, boundaries);
            part(part, defaultType, depth + 1, attached);
        }
        boolean closed = boundaries.delimiter().level() == level;
        boundaries.pop();
        if (closed) {
            int epilogue = boundaries.delimiter().next();
            boundaries.seek(octets, epilogue, end);
            if (empty) {
                textAround(header, epilogue, attached);
            }
        }
        return found;
    }

    private void textAround(PartHeader header, int from, boolean attached) {
        int to = contentEnd(from);
        if (!Lines.isLineEnds(octets, from, to)) {
            leaf(header.ofText(), from, to, attached);
        }
    }

    /**
     * The line end before a delimiter belongs to it (RFC 2046 §5.1.1). The end of the message replaces a missing last
     * delimiter.
     */
    private int contentEnd(int from) {
        int to = boundaries.delimiter().lineStart();
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

    private void leaf(PartHeader header, int from, int to, boolean attached) {
        TransferEncoding encoding = header.encoding();
        if (encoding == TransferEncoding.UUENCODE && !UuDecoder.hasBegin(octets, from, to)) {
            encoding = TransferEncoding.IDENTITY;
        }
        Leaf leaf = new Leaf(from - base, Math.max(0, to - from), encoding, header.charset());
        boolean attachment =
                attached || header.isAttached() || !header.filename().isEmpty() || !header.isBodyText();
        if (attachment ? candidates.size() == limits.partsMax() : ++bodies > limits.partsMax()) {
            stop();
        } else if (attachment) {
            Otherwise otherwise = attached || leaf.length() == 0 ? Otherwise.ATTACHMENT : otherwise(header);
            named |= otherwise == Otherwise.TEXT || otherwise == Otherwise.HTML;
            candidates.add(new Candidate(
                    header.type(),
                    Filenames.of(header.filename()),
                    leaf,
                    counted(header.contentId()),
                    counted(header.contentLocation()),
                    otherwise));
        } else if (leaf.length() > 0) {
            (header.type().equals(HTML) ? html : text).add(leaf);
            readable |= !Lines.isWhitespace(octets, from, to);
        }
    }

    /** The identifier of a part; empty beyond the bound. */
    private String counted(String identifier) {
        if (identifier.length() > IDENTIFIERS_CHARACTERS_MAX - identifiersCharacters) {
            complete = false;
            return "";
        }
        identifiersCharacters += identifier.length();
        return identifier;
    }

    private static Otherwise otherwise(PartHeader header) {
        if (header.isAttached()) {
            return Otherwise.ATTACHMENT;
        }
        if (header.isBodyText()) {
            return header.type().equals(HTML) ? Otherwise.HTML : Otherwise.TEXT;
        }
        return header.isText() && header.filename().isEmpty() ? Otherwise.TEXT_OF_OTHER_TYPE : Otherwise.ATTACHMENT;
    }

    /** Reads no more parts. */
    private void stop() {
        complete = false;
        boundaries.seek(octets, end, end);
    }
}
