package dev.oneshot.api.sending;

import com.fasterxml.jackson.core.Base64Variants;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamReadException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import dev.oneshot.api.http.UnreadableValueException;
import dev.oneshot.contracts.event.Octets;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The octets of a JSON string in base64 (RFC 4648 §4, with padding and nothing else between; bits of the last character
 * that mean nothing may be any, §3.5). Decoded while it is read: the text itself is never in memory.
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
            JsonLocation begin = parser.currentTokenLocation();
            SegmentedOctets decoded = new SegmentedOctets();
            try {
                parser.readBinaryValue(Base64Variants.MIME_NO_LINEFEEDS, decoded);
            } catch (JsonEOFException e) {
                throw e;
            } catch (StreamReadException | IllegalArgumentException e) {
                throw refused(parser, e);
            }
            byte[] octets = decoded.toByteArray();
            JsonLocation end = parser.currentLocation();
            if (begin.getByteOffset() >= 0 && !isLengthOf(octets, end.getByteOffset() - begin.getByteOffset() - 2)) {
                throw refused(parser, null);
            }
            return new Base64Octets(Octets.of(octets));
        }

        private static JsonProcessingException refused(JsonParser parser, @Nullable Throwable cause) {
            UnreadableValueException refused = new UnreadableValueException(parser, "is not valid base64");
            if (cause != null) {
                refused.initCause(cause);
            }
            return refused;
        }

        /**
         * Whether the string has the length of these octets in base64. Jackson skips blanks, which are no base64; JSON
         * writers that escape the slash, or the plus sign, as some do everywhere, are within their right.
         */
        private static boolean isLengthOf(byte[] octets, long stringBytes) {
            long plain = (octets.length + 2L) / 3 * 4;
            long extra = stringBytes - plain;
            if (extra == 0) {
                return true;
            }
            long pluses = 0;
            long slashes = 0;
            for (int i = 0; i < octets.length * 8L / 6; i++) {
                int sextet = sextet(octets, i);
                pluses += sextet == 62 ? 1 : 0;
                slashes += sextet == 63 ? 1 : 0;
            }
            return extra == slashes || extra == 5 * pluses || extra == slashes + 5 * pluses;
        }

        private static int sextet(byte[] octets, int index) {
            int bit = index * 6 % 8;
            int at = (int) (index * 6L / 8);
            int pair = (octets[at] & 0xFF) << 8 | (at + 1 < octets.length ? octets[at + 1] & 0xFF : 0);
            return pair >> (10 - bit) & 0x3F;
        }
    }
}
