package dev.oneshot.contracts.event;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The bytes behind the CBOR of an event, in the order of its components. The CBOR has the length of each. */
final class OctetsTail {

    /** The attribute of a reader or writer that has the tail. */
    static final String ATTRIBUTE = "tail";

    static final Module MODULE =
            new SimpleModule().addSerializer(Octets.class, new Writer()).addDeserializer(Octets.class, new Reader());

    private final List<Octets> parts = new ArrayList<>();
    private final byte[] value;
    private int taken;

    /** A tail to write. */
    OctetsTail() {
        this(new byte[0], 0);
    }

    /** A tail to read: from {@code offset} of {@code value} on, without copying. */
    OctetsTail(byte[] value, int offset) {
        this.value = value;
        this.taken = offset;
    }

    /** What was written. */
    List<Octets> parts() {
        return parts;
    }

    /** The bytes that were not read. */
    int remaining() {
        return value.length - taken;
    }

    private Octets next(int length) {
        Octets next = Octets.of(value, taken, length);
        taken += length;
        return next;
    }

    private static final class Writer extends JsonSerializer<Octets> {

        @Override
        public void serialize(Octets octets, JsonGenerator to, SerializerProvider context) throws IOException {
            ((OctetsTail) context.getAttribute(ATTRIBUTE)).parts.add(octets);
            to.writeNumber(octets.length());
        }
    }

    private static final class Reader extends JsonDeserializer<Octets> {

        @Override
        public Octets deserialize(JsonParser from, DeserializationContext context) throws IOException {
            OctetsTail tail = (OctetsTail) context.getAttribute(ATTRIBUTE);
            int length = from.getIntValue();
            if (length < 0 || length > tail.remaining()) {
                throw MismatchedInputException.from(from, Octets.class, "impossible length of a part: " + length);
            }
            return tail.next(length);
        }
    }
}
