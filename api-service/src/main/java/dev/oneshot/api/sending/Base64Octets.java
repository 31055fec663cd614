package dev.oneshot.api.sending;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import dev.oneshot.api.body.UnreadableValueException;
import dev.oneshot.contracts.event.Octets;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.io.IOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.util.Base64;

/**
 * The bytes of a JSON string in base64 (RFC 4648 §4), with padding and no other characters. Unused bits of the last character may
 * be set (§3.5), and characters may be escaped. Jackson's own reader accepts blanks, control characters and data after padding.
 */
@JsonDeserialize(using = Base64Octets.Deserializer.class)
public record Base64Octets(Octets octets) {

    /** Reads the string. */
    @RegisterForReflection
    static final class Deserializer extends JsonDeserializer<Base64Octets> {

        @Override
        public Base64Octets deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            if (parser.currentToken() != JsonToken.VALUE_STRING) {
                return (Base64Octets) context.handleUnexpectedToken(String.class, parser);
            }
            try {
                Base64Writer decoded = new Base64Writer(parser.getTextLength());
                parser.getText(decoded);
                return new Base64Octets(decoded.octets());
            } catch (IllegalArgumentException _) {
                throw new UnreadableValueException(parser, "is not valid base64");
            }
        }
    }

    /**
     * Decodes the base64 that is written to it into one array, without a second copy of the characters. Writing throws
     * IllegalArgumentException for invalid base64.
     */
    static final class Base64Writer extends Writer {

        private static final int PIECE_CHARACTERS = 8 * 1024;
        private static final byte NOT_IN_THE_ALPHABET = 0;

        private final ByteBuffer octets;
        /** Whole groups of four. */
        private final ByteBuffer piece = ByteBuffer.allocate(PIECE_CHARACTERS);

        private boolean isPadded;

        /** @param characters how many will be written */
        Base64Writer(int characters) {
            // Base64.Decoder would take a last group without its padding.
            if (characters % 4 != 0) {
                throw new IllegalArgumentException("base64 comes in groups of four characters");
            }
            this.octets = ByteBuffer.allocate(characters / 4 * 3);
        }

        @Override
        public void write(char[] characters, int offset, int length) {
            for (int i = offset; i < offset + length; i++) {
                if (!piece.hasRemaining()) {
                    decode();
                }
                piece.put(characters[i] < 0x80 ? (byte) characters[i] : NOT_IN_THE_ALPHABET);
            }
        }

        /** The decoded bytes, after all is written. */
        Octets octets() {
            decode();
            return Octets.of(octets.array(), 0, octets.position());
        }

        private void decode() {
            piece.flip();
            if (piece.hasRemaining() && isPadded) {
                throw new IllegalArgumentException("base64 ends with its padding");
            }
            isPadded = piece.hasRemaining() && piece.get(piece.limit() - 1) == '=';
            octets.put(Base64.getDecoder().decode(piece));
            piece.clear();
        }

        @Override
        public void flush() {
            // Only the last piece is held back; octets() decodes it.
        }

        @Override
        public void close() {
            // There is nothing to release.
        }
    }
}
