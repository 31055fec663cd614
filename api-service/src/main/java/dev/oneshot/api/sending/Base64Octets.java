package dev.oneshot.api.sending;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import dev.oneshot.api.http.UnreadableValueException;
import dev.oneshot.contracts.event.Octets;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.io.IOException;

/**
 * The octets of a JSON string in base64 (RFC 4648 §4, with padding and nothing else between; bits of the last character
 * that mean nothing may be any, §3.5). How JSON writes the characters, as they are or escaped, is all the same.
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
            } catch (IllegalArgumentException e) {
                UnreadableValueException refused = new UnreadableValueException(parser, "is not valid base64");
                refused.initCause(e);
                throw refused;
            }
        }
    }
}
