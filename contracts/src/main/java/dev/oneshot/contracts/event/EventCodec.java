package dev.oneshot.contracts.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.oneshot.message.MessageStructure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes events.
 *
 * <p>A value is one byte of format version, which also identifies the event among those of its topic, then CBOR (RFC
 * 8949). Events with bytes of a mail carry them outside the CBOR, so that they are never copied through a parser:
 * version, length of the CBOR (four bytes, big-endian), CBOR, bytes. Fields are only added, and unknown fields are ignored: old code reads new events and new code reads old ones
 * during an upgrade.
 *
 * <p>Safe for use by many threads.
 */
public final class EventCodec {

    private static final Map<Integer, Class<? extends InboundEvent>> INBOUND =
            Map.of(1, MailInbound.class, 2, SendBounced.class, 3, PostmasterMail.class);
    private static final Map<Integer, Class<? extends DueMail>> DUE =
            Map.of(1, MailRequested.class, 2, LetterRequested.class, 3, PostmasterMail.class);
    private static final Map<Integer, Class<? extends SendResult>> RESULTS =
            Map.of(1, MailSettled.class, 2, MailDeferred.class, 3, LeaseExtended.class);
    private static final Map<Integer, Class<AddressClosed>> CLOSED = Map.of(1, AddressClosed.class);
    private static final Map<Integer, Class<MessageStructure>> STRUCTURES = Map.of(1, MessageStructure.class);

    private static final Map<Class<?>, Integer> VERSIONS = Stream.<Map<Integer, ? extends Class<?>>>of(
                    INBOUND, DUE, RESULTS, CLOSED, STRUCTURES)
            .flatMap(types -> types.entrySet().stream())
            .distinct()
            .collect(Collectors.toMap(Map.Entry::getValue, Map.Entry::getKey));
    /** The events with bytes behind the CBOR. */
    private static final Set<Class<?>> FRAMED = Set.of(MailInbound.class, PostmasterMail.class, MailRequested.class);

    private static final int FRAME_BYTES = 1 + Integer.BYTES;

    private static final ObjectMapper CBOR = CBORMapper.builder()
            .addModule(new JavaTimeModule())
            .addModule(OctetsTail.MODULE)
            .enable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
            .build();

    private EventCodec() {}

    public static byte[] encode(Event event) {
        OctetsTail tail = new OctetsTail();
        return joined(event, write(event, tail), tail.parts());
    }

    /** The structure alone, as it is stored with the message. */
    public static byte[] encode(MessageStructure structure) {
        return joined(structure, write(structure, new OctetsTail()), List.of());
    }

    /**
     * Decodes an event of {@code mail.inbound}, whose bytes are slices of {@code value}.
     *
     * @throws EventFormatException if this is no such event
     */
    public static InboundEvent decodeInbound(byte @Nullable [] value) throws EventFormatException {
        return decode(value, INBOUND);
    }

    /**
     * Decodes an event of {@code mail.due}, whose bytes are slices of {@code value}.
     *
     * @throws EventFormatException if this is no such event
     */
    public static DueMail decodeDueMail(byte[] value) throws EventFormatException {
        return decode(value, DUE);
    }

    /** @throws EventFormatException if this is no such event */
    public static SendResult decodeSendResult(byte @Nullable [] value) throws EventFormatException {
        return decode(value, RESULTS);
    }

    /** @throws EventFormatException if this is no such event */
    public static AddressClosed decodeAddressClosed(byte[] value) throws EventFormatException {
        return decode(value, CLOSED);
    }

    /** @throws EventFormatException if this is no structure */
    public static MessageStructure decodeStructure(byte[] value) throws EventFormatException {
        return decode(value, STRUCTURES);
    }

    private static byte version(Object event) {
        return Objects.requireNonNull(VERSIONS.get(event.getClass())).byteValue();
    }

    private static byte[] joined(Object event, byte[] head, List<Octets> tail) {
        boolean framed = FRAMED.contains(event.getClass());
        int tailBytes = tail.stream().mapToInt(Octets::length).reduce(0, Math::addExact);
        ByteBuffer value = ByteBuffer.allocate((framed ? FRAME_BYTES : 1) + head.length + tailBytes)
                .put(version(event));
        if (framed) {
            value.putInt(head.length);
        }
        value.put(head);
        tail.forEach(octets -> value.put(octets.array(), octets.offset(), octets.length()));
        return value.array();
    }

    private static byte[] write(Object event, OctetsTail tail) {
        try {
            return CBOR.writer().withAttribute(OctetsTail.ATTRIBUTE, tail).writeValueAsBytes(event);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot encode an event", e);
        }
    }

    private static <T> T decode(byte @Nullable [] value, Map<Integer, ? extends Class<? extends T>> types)
            throws EventFormatException {
        if (value == null || value.length == 0) {
            throw new EventFormatException("empty");
        }
        Class<? extends T> type = types.get((int) value[0]);
        if (type == null) {
            throw new EventFormatException("unknown format version " + value[0]);
        }
        if (!FRAMED.contains(type)) {
            return read(value, 1, value.length - 1, type);
        }
        int headBytes = value.length < FRAME_BYTES ? -1 : ByteBuffer.wrap(value).getInt(1);
        if (headBytes < 0 || headBytes > value.length - FRAME_BYTES) {
            throw new EventFormatException("impossible length of the head: " + headBytes);
        }
        return read(value, FRAME_BYTES, headBytes, type);
    }

    private static <T> T read(byte[] value, int offset, int length, Class<T> type) throws EventFormatException {
        OctetsTail tail = new OctetsTail(value, offset + length);
        @Nullable T event;
        try {
            event = CBOR.readerFor(type)
                    .withAttribute(OctetsTail.ATTRIBUTE, tail)
                    .readValue(value, offset, length);
        } catch (IOException e) {
            throw new EventFormatException("not readable as " + type.getSimpleName(), e);
        }
        if (event == null || tail.remaining() > 0) {
            throw new EventFormatException("no " + type.getSimpleName() + ", or bytes after it");
        }
        return event;
    }
}
