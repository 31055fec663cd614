package dev.oneshot.message;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Optional;

/** How the octets of a part are encoded for transport (RFC 2045 §6), once unknown and damaged labels are settled. */
public enum TransferEncoding {
    /** 7bit, 8bit, binary, none or an unknown one: the octets as they are. */
    IDENTITY,
    /** RFC 2045 §6.8, read leniently: foreign characters are skipped, missing padding is supplied. */
    BASE64,
    /** RFC 2045 §6.7, read leniently: what is no escape stands for itself. */
    QUOTED_PRINTABLE,
    /** The encoding of uuencode, named by {@code x-uuencode} and its variants. */
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
     * Decodes while reading, in memory of a fixed size. Damaged input is decoded as far as it goes and never fails;
     * only {@code encoded} itself can. Closing the result closes {@code encoded}.
     */
    public InputStream decoding(InputStream encoded) {
        Objects.requireNonNull(encoded, "encoded");
        return decoder()
                .<InputStream>map(decoder -> new DecodingInputStream(encoded, decoder))
                .orElse(encoded);
    }

    /** How many octets {@link #decoding} yields for a slice, counted without holding them. */
    public int decodedLength(byte[] octets, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, octets.length);
        return decoder()
                .map(decoder -> count(decoder, octets, offset, offset + length))
                .orElse(length);
    }

    /** The whole of a slice, decoded. */
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
