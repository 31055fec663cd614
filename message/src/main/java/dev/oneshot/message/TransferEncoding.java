package dev.oneshot.message;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Optional;

/** The transfer encoding of a part (RFC 2045 §6); unknown ones are {@link #IDENTITY}. */
public enum TransferEncoding {
    /** 7bit, 8bit, binary, none or unknown: the octets as they are. */
    IDENTITY,
    /** RFC 2045 §6.8, read leniently: other characters are skipped, missing padding is supplied. */
    BASE64,
    /** RFC 2045 §6.7, read leniently: an invalid escape is literal. */
    QUOTED_PRINTABLE,
    /** The encoding of uuencode, {@code x-uuencode} and its variants. */
    UUENCODE;

    private static final int PIECE = 8 * 1024;

    /** The encoding a Content-Transfer-Encoding field names, in lower case. */
    static TransferEncoding named(String label) {
        return switch (label) {
            case "base64", "base-64", "x-base64" -> BASE64;
            case "quoted-printable", "quotedprintable", "quoted-printible", "x-quoted-printable" -> QUOTED_PRINTABLE;
            case "x-uuencode", "x-uue", "uuencode", "uue" -> UUENCODE;
            default -> IDENTITY;
        };
    }

    /**
     * Decodes while reading, in memory of a fixed size. Damaged input never fails; only reading {@code encoded} can.
     * Closing the result closes {@code encoded}.
     */
    public InputStream decoding(InputStream encoded) {
        Objects.requireNonNull(encoded, "encoded");
        return decoder()
                .<InputStream>map(decoder -> new DecodingInputStream(encoded, decoder))
                .orElse(encoded);
    }

    /** The length that {@link #decoding} yields for a slice, counted without storing it. */
    public int decodedLength(byte[] octets, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, octets.length);
        if (this == BASE64) {
            return Base64Decoder.decodedLength(octets, offset, offset + length);
        }
        return decoder()
                .map(decoder -> count(decoder, octets, offset, offset + length))
                .orElse(length);
    }

    /** Decodes a whole slice. */
    byte[] decode(byte[] octets) {
        if (this == IDENTITY) {
            return octets;
        }
        try (InputStream decoded = decoding(new ByteArrayInputStream(octets))) {
            return decoded.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int count(OctetDecoder decoder, byte[] octets, int from, int to) {
        byte[] piece = new byte[decoder.outputMax(Math.min(PIECE, to - from))];
        int count = 0;
        for (int at = from; at < to; at += PIECE) {
            count += decoder.decode(octets, at, Math.min(to, at + PIECE), piece, 0);
        }
        return count + decoder.finish(piece, 0);
    }

    private Optional<OctetDecoder> decoder() {
        return switch (this) {
            case IDENTITY -> Optional.empty();
            case BASE64 -> Optional.of(new Base64Decoder());
            case QUOTED_PRINTABLE -> Optional.of(new QuotedPrintableDecoder());
            case UUENCODE -> Optional.of(new UuDecoder());
        };
    }
}
