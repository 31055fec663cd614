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
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes events.
 *
 * <p>A value is one octet of format version, then CBOR (RFC 8949). {@link MailInbound}, {@link PostmasterMail} and {@link
 * MailRequested} carry the octets of the mail outside the CBOR, so that they are never copied through a parser: version, length of
 * the CBOR (four octets, big-endian), CBOR, octets. Zeros may follow the CBOR and count as part of it. Fields are
 * only added, and unknown fields are ignored: old code reads new events and new code reads old ones during an
 * upgrade.
 *
 * <p>Safe for use by many threads.
 */
public final class EventCodec {

    private static final byte VERSION = 1;
    // On mail.settled, the version also identifies the event.
    private static final byte DEFERRED = 2;
    private static final byte EXTENDED = 3;
    // On mail.due, the version also identifies the event.
    private static final byte LETTER = 2;
    // The same on mail.inbound and mail.due, in the frame of a mail.
    private static final byte POSTMASTER = 3;
    // On mail.inbound, the version also identifies the event.
    private static final byte BOUNCED = 4;
    private static final int FRAME_BYTES = 1 + Integer.BYTES;
    // A head has the header fields and a few words on each part, commonly 2 to 6 KB.
    private static final int MAIL_HEAD_ROOM = 16 * 1024;

    private static final ObjectMapper CBOR = CBORMapper.builder()
            .addModule(new JavaTimeModule())
            .enable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
            .build();

    private EventCodec() {}

    private record MailInboundHead(
            String addressId, String reversePath, Instant receivedAt, MessageStructure structure) {
        MailInboundHead {
            Objects.requireNonNull(addressId, "addressId");
            Objects.requireNonNull(reversePath, "reversePath");
            Objects.requireNonNull(receivedAt, "receivedAt");
            Objects.requireNonNull(structure, "structure");
        }

        static MailInboundHead of(MailInbound event) {
            return new MailInboundHead(event.addressId(), event.reversePath(), event.receivedAt(), event.structure());
        }
    }

    private record PostmasterHead(String mailId, String to, Instant requestedAt, Instant expiresAt) {
        static PostmasterHead of(PostmasterMail mail) {
            return new PostmasterHead(mail.mailId(), mail.to(), mail.requestedAt(), mail.expiresAt());
        }

        PostmasterMail with(Octets raw) {
            return new PostmasterMail(mailId, to, requestedAt, expiresAt, raw);
        }
    }

    public static byte[] encode(InboundEvent event) {
        return switch (event) {
            case MailInbound mail -> framed(VERSION, write(MailInboundHead.of(mail)), List.of(mail.raw()));
            case PostmasterMail mail -> framed(POSTMASTER, write(PostmasterHead.of(mail)), List.of(mail.raw()));
            case SendBounced bounced -> versioned(BOUNCED, write(bounced));
        };
    }

    /**
     * As {@link #encode(InboundEvent)}, but without copying a message whose array is of {@link #roomForMail}: the
     * result is the array that the message lies in. Zeros fill the space between the head and the message.
     */
    public static byte[] encodeInPlace(InboundEvent event) {
        return switch (event) {
            case MailInbound mail -> inPlace(VERSION, write(MailInboundHead.of(mail)), mail.raw());
            case PostmasterMail mail -> inPlace(POSTMASTER, write(PostmasterHead.of(mail)), mail.raw());
            case SendBounced bounced -> encode(bounced);
        };
    }

    private static byte[] inPlace(byte version, byte[] head, Octets raw) {
        byte[] value = raw.array();
        int room = raw.offset() - FRAME_BYTES;
        if (head.length > room || raw.offset() + raw.length() != value.length) {
            return framed(version, head, List.of(raw));
        }
        ByteBuffer.wrap(value).put(version).putInt(room).put(head);
        Arrays.fill(value, FRAME_BYTES + head.length, raw.offset(), (byte) 0);
        return value;
    }

    /** An array with space for a message at its end, and for most heads before it. */
    public static Octets roomForMail(int messageBytes) {
        int offset = FRAME_BYTES + MAIL_HEAD_ROOM;
        return Octets.of(new byte[Math.addExact(offset, messageBytes)], offset, messageBytes);
    }

    /**
     * Decodes an event whose message is a slice of {@code value}.
     *
     * @throws EventFormatException if this is no such event
     */
    public static MailInbound decodeMailInbound(byte[] value) throws EventFormatException {
        int headBytes = headBytes(value, VERSION);
        MailInboundHead head = read(value, FRAME_BYTES, headBytes, MailInboundHead.class);
        return new MailInbound(
                head.addressId(), head.reversePath(), head.receivedAt(), head.structure(), tail(value, headBytes));
    }

    /**
     * Decodes an event of {@code mail.inbound}, whose octets are slices of {@code value}.
     *
     * @throws EventFormatException if this is no such event
     */
    public static InboundEvent decodeInbound(byte[] value) throws EventFormatException {
        return switch (value.length == 0 ? VERSION : value[0]) {
            case POSTMASTER -> decodePostmasterMail(value);
            case BOUNCED -> read(value, 1, value.length - 1, SendBounced.class);
            default -> decodeMailInbound(value);
        };
    }

    private static PostmasterMail decodePostmasterMail(byte[] value) throws EventFormatException {
        int headBytes = headBytes(value, POSTMASTER);
        PostmasterHead head = read(value, FRAME_BYTES, headBytes, PostmasterHead.class);
        try {
            return head.with(tail(value, headBytes));
        } catch (IllegalArgumentException | NullPointerException e) {
            throw new EventFormatException("not readable as PostmasterMail", e);
        }
    }

    public static byte[] encode(MailRequested event) {
        return framed(VERSION, write(MailRequestedFrame.head(event)), MailRequestedFrame.octets(event));
    }

    /**
     * Decodes an event whose octets are slices of {@code value}.
     *
     * @throws EventFormatException if this is no such event
     */
    public static MailRequested decodeMailRequested(byte[] value) throws EventFormatException {
        int headBytes = headBytes(value, VERSION);
        MailRequestedFrame.Head head = read(value, FRAME_BYTES, headBytes, MailRequestedFrame.Head.class);
        return MailRequestedFrame.join(head, tail(value, headBytes));
    }

    public static byte[] encode(LetterRequested event) {
        return versioned(LETTER, write(event));
    }

    /**
     * Decodes an event whose octets are slices of {@code value}.
     *
     * @throws EventFormatException if this is no such event
     */
    public static DueMail decodeDueMail(byte[] value) throws EventFormatException {
        return switch (value.length == 0 ? VERSION : value[0]) {
            case LETTER -> read(value, 1, value.length - 1, LetterRequested.class);
            case POSTMASTER -> decodePostmasterMail(value);
            default -> decodeMailRequested(value);
        };
    }

    public static byte[] encode(SendResult event) {
        return switch (event) {
            case MailSettled settled -> versioned(VERSION, write(settled));
            case MailDeferred deferred -> versioned(DEFERRED, write(deferred));
            case LeaseExtended extended -> versioned(EXTENDED, write(extended));
        };
    }

    /** @throws EventFormatException if this is no such event */
    public static SendResult decodeSendResult(byte[] value) throws EventFormatException {
        if (value.length > 0 && value[0] == DEFERRED) {
            return read(value, 1, value.length - 1, MailDeferred.class);
        }
        if (value.length > 0 && value[0] == EXTENDED) {
            return read(value, 1, value.length - 1, LeaseExtended.class);
        }
        requireVersion(value);
        return read(value, 1, value.length - 1, MailSettled.class);
    }

    public static byte[] encode(AddressClosed event) {
        return versioned(VERSION, write(event));
    }

    /** @throws EventFormatException if this is no such event */
    public static AddressClosed decodeAddressClosed(byte[] value) throws EventFormatException {
        requireVersion(value);
        return read(value, 1, value.length - 1, AddressClosed.class);
    }

    /** The structure alone, as the database stores it next to the message. */
    public static byte[] encode(MessageStructure structure) {
        return versioned(VERSION, write(structure));
    }

    /** @throws EventFormatException if this is no structure */
    public static MessageStructure decodeStructure(byte[] value) throws EventFormatException {
        requireVersion(value);
        return read(value, 1, value.length - 1, MessageStructure.class);
    }

    private static byte[] versioned(byte version, byte[] cbor) {
        return ByteBuffer.allocate(1 + cbor.length).put(version).put(cbor).array();
    }

    private static byte[] framed(byte version, byte[] head, List<Octets> tail) {
        int tailBytes = tail.stream().mapToInt(Octets::length).reduce(0, Math::addExact);
        ByteBuffer value = ByteBuffer.allocate(FRAME_BYTES + head.length + tailBytes)
                .put(version)
                .putInt(head.length)
                .put(head);
        tail.forEach(octets -> value.put(octets.array(), octets.offset(), octets.length()));
        return value.array();
    }

    private static int headBytes(byte[] value, byte version) throws EventFormatException {
        requireVersion(value, version);
        if (value.length < FRAME_BYTES) {
            throw new EventFormatException("cut off");
        }
        int headBytes = ByteBuffer.wrap(value, 1, Integer.BYTES).getInt();
        if (headBytes < 0 || headBytes > value.length - FRAME_BYTES) {
            throw new EventFormatException("impossible length of the head: " + headBytes);
        }
        return headBytes;
    }

    private static Octets tail(byte[] value, int headBytes) {
        int offset = FRAME_BYTES + headBytes;
        return Octets.of(value, offset, value.length - offset);
    }

    private static void requireVersion(byte[] value) throws EventFormatException {
        requireVersion(value, VERSION);
    }

    private static void requireVersion(byte[] value, byte version) throws EventFormatException {
        if (value.length == 0) {
            throw new EventFormatException("empty");
        }
        if (value[0] != version) {
            throw new EventFormatException("unknown format version " + value[0]);
        }
    }

    private static byte[] write(Object value) {
        try {
            return CBOR.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot encode an event", e);
        }
    }

    private static <T> T read(byte[] value, int offset, int length, Class<T> type) throws EventFormatException {
        try {
            @Nullable T event = CBOR.readValue(value, offset, length, type);
            if (event == null) {
                throw new EventFormatException("null instead of " + type.getSimpleName());
            }
            return event;
        } catch (IOException e) {
            throw new EventFormatException("not readable as " + type.getSimpleName(), e);
        }
    }
}
