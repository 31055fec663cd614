package dev.oneshot.mailer.compose;

import dev.oneshot.contracts.event.Octets;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A text in UTF-8 as a leaf. CRLF, CR and LF all become CRLF. Sent literally if the transport allows it, else as
 * quoted-printable or base64 (RFC 2045 §6.7, §6.8).
 */
final class TextPart {

    /** The longest line that SMTP carries, without its CRLF (RFC 5322 §2.1.1). */
    static final int LINE_OCTETS_MAX = 998;

    private static final byte[] CRLF = {'\r', '\n'};

    private static final int QUOTED_LINE_CHARACTERS = 76;
    private static final HexFormat QUOTED = HexFormat.of().withUpperCase().withPrefix("=");
    private static final byte[] SOFT_BREAK = {'=', '\r', '\n'};

    private TextPart() {}

    static MimeEntity of(String subtype, Octets text) {
        MimeBody literal = to -> write(text, true, to);
        if (isPlain(text)) {
            return entity(subtype, "7bit", literal);
        }
        // Quoted-printable adds two characters for each octet that it quotes, base64 one for each three octets.
        return quoted(text) > text.length() / 6
                ? entity(subtype, "base64", literal.inBase64())
                : entity(subtype, "quoted-printable", to -> write(text, false, to));
    }

    private static MimeEntity entity(String subtype, String transferEncoding, MimeBody body) {
        List<String> fields = List.of(
                "Content-Type: text/" + subtype + "; charset=utf-8", "Content-Transfer-Encoding: " + transferEncoding);
        return new MimeEntity(fields, false, body);
    }

    /** Writes no line end after the last line: the CRLF before a boundary belongs to the boundary. */
    static void write(Octets text, boolean plain, OutputStream to) throws IOException {
        byte[] octets = text.array();
        int end = text.offset() + text.length();
        int from = text.offset();
        while (from < end) {
            int lineEnd = from;
            while (lineEnd < end && octets[lineEnd] != '\r' && octets[lineEnd] != '\n') {
                lineEnd++;
            }
            if (plain) {
                to.write(octets, from, lineEnd - from);
            } else {
                writeQuoted(octets, from, lineEnd, to);
            }
            if (lineEnd < end) {
                to.write(CRLF);
            }
            boolean pair = lineEnd + 1 < end && octets[lineEnd] == '\r' && octets[lineEnd + 1] == '\n';
            from = lineEnd + (pair ? 2 : 1);
        }
    }

    private static void writeQuoted(byte[] octets, int from, int to, OutputStream out) throws IOException {
        int column = 0;
        for (int i = from; i < to; i++) {
            int octet = octets[i] & 0xFF;
            boolean blank = octet == ' ' || octet == '\t';
            boolean literal = (octet > ' ' && octet <= '~' && octet != '=') || (blank && i + 1 < to);
            int characters = literal ? 1 : 3;
            if (column + characters > QUOTED_LINE_CHARACTERS - 1) {
                out.write(SOFT_BREAK);
                column = 0;
            }
            if (literal) {
                out.write(octet);
            } else {
                out.write(QUOTED.formatHex(octets, i, i + 1).getBytes(StandardCharsets.US_ASCII));
            }
            column += characters;
        }
    }

    /**
     * Whether the text is ASCII in short lines without {@code =_}. Boundaries begin with that, and the other encodings never have it.
     */
    private static boolean isPlain(Octets text) {
        int lineOctets = 0;
        int previous = 0;
        for (int i = text.offset(); i < text.offset() + text.length(); i++) {
            int octet = text.array()[i];
            boolean breaks = octet == '\r' || octet == '\n';
            boolean allowed = breaks || octet == '\t' || (octet >= ' ' && octet <= '~');
            lineOctets = breaks ? 0 : lineOctets + 1;
            if (!allowed || lineOctets > LINE_OCTETS_MAX || (previous == '=' && octet == '_')) {
                return false;
            }
            previous = octet;
        }
        return true;
    }

    /** About how many octets quoted-printable quotes: those above 127, and equals signs. */
    private static long quoted(Octets text) {
        return IntStream.range(text.offset(), text.offset() + text.length())
                .filter(i -> text.array()[i] < 0 || text.array()[i] == '=')
                .count();
    }
}
