package dev.oneshot.api.body;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import com.fasterxml.jackson.databind.deser.std.StringDeserializer;
import dev.oneshot.api.error.ApiException;
import java.io.IOException;
import java.io.Serial;

/** Rejects strings with an unpaired surrogate, which are no Unicode text (RFC 8259 §8.2), also in members that nothing reads. */
final class PairedSurrogates {

    private PairedSurrogates() {}

    private static boolean isUnicode(String text) {
        return text.codePoints().noneMatch(c -> Character.getType(c) == Character.SURROGATE);
    }

    /** Reads the strings of known members. */
    static final class Strings extends StringDeserializer {

        @Serial
        private static final long serialVersionUID = 1L;

        @Override
        public String deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            String text = super.deserialize(parser, context);
            if (text != null && !isUnicode(text)) {
                throw new UnreadableValueException(parser, "must be valid Unicode");
            }
            return text;
        }
    }

    /** Skips unknown members. */
    static final class UnknownMembers extends DeserializationProblemHandler {

        @Override
        public boolean handleUnknownProperty(
                DeserializationContext context,
                JsonParser parser,
                JsonDeserializer<?> deserializer,
                Object beanOrClass,
                String name)
                throws IOException {
            int depth = 0;
            do {
                JsonToken token = parser.currentToken();
                if (token == JsonToken.VALUE_STRING && !isUnicode(parser.getText())) {
                    throw ApiException.invalid("the body must not have an unpaired surrogate");
                }
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            } while (depth > 0 && parser.nextToken() != null);
            return true;
        }
    }
}
