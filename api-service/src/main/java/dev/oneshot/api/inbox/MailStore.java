package dev.oneshot.api.inbox;

import dev.oneshot.api.address.Address;
import dev.oneshot.api.address.AddressPath;
import dev.oneshot.api.address.AddressStore;
import dev.oneshot.api.database.Database;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.contracts.content.MailContent;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.EventFormatException;
import dev.oneshot.contracts.event.Octets;
import dev.oneshot.message.BodyText;
import dev.oneshot.message.Leaf;
import dev.oneshot.message.MessageStructure;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;
import org.jboss.logging.Logger;

/** The stored mail; reads only the requested parts. */
@ApplicationScoped
class MailStore {

    private static final Logger LOG = Logger.getLogger(MailStore.class);

    /** The expiry is the key of the partitions: with its value in the statement, the database opens only one. */
    private static final String PIECES = "SELECT content FROM mail"
            + " WHERE address_id = ? AND expires_at = ? AND piece BETWEEN ? AND ? AND expires_at > now() ORDER BY piece";

    /** Nearly all structures are small. A larger one is read only after memory is reserved for it. */
    private static final int SMALL_STRUCTURE_BYTES = 16 * 1024;

    /** How many frames of a download are read at once. */
    private static final int CHUNK_FRAMES = ReadMemory.CHUNK_BYTES / MailContent.FRAME_BYTES;

    private final Database database;
    private final AddressStore addresses;
    private final ReadMemory memory;
    private final Counter unreadable;

    MailStore(Database database, AddressStore addresses, ReadMemory memory, MeterRegistry metrics) {
        this.database = database;
        this.addresses = addresses;
        this.memory = memory;
        this.unreadable = Counter.builder("oneshot.inbox.unreadable")
                .description("Reads of stored mail that is damaged")
                .register(metrics);
    }

    /**
     * The parsed mail of an address.
     *
     * @throws ApiException 404 if there is no such address or no mail yet, 410 if the address has expired, 429 or 503 if too
     *     much mail is being read
     */
    EmailView email(UUID accountId, AddressPath path) {
        Reading mail = open(accountId, path);
        MailContent content = mail.content;
        // Reserves all memory at once: requests that reserve in parts could wait for each other without end.
        boolean isReadWhole = content.frames() == 1 || content.structureBytes() > SMALL_STRUCTURE_BYTES;
        if (isReadWhole) {
            memory.reserve((long) content.structureBytes() + content.messageBytes());
        }
        MessageStructure structure = mail.structure();
        if (!isReadWhole) {
            memory.reserve(content.structureBytes() + bytes(structure.text()) + bytes(structure.html()));
        }
        return EmailView.of(
                mail.address,
                structure,
                body(mail, structure.text(), Leaf::text),
                body(mail, structure.html(), Leaf::html));
    }

    /**
     * A mail, a part of which is then {@linkplain Reading#stream streamed}.
     *
     * @throws ApiException as {@link #email}
     */
    Reading findToStream(UUID accountId, AddressPath path) {
        Reading mail = open(accountId, path);
        int structureBytes = mail.content.structureBytes();
        memory.reserveForDownload(
                structureBytes > SMALL_STRUCTURE_BYTES ? structureBytes : 0, mail.content.messageBytes());
        return mail;
    }

    private Reading open(UUID accountId, AddressPath path) {
        Address address = addresses.read(accountId, path);
        var _ = address.mail();
        byte[] first = pieces(address, 0, MailPiece.LAST_SMALL).orElseThrow(() -> gone(accountId, address));
        try {
            return new Reading(accountId, address, MailContent.read(Octets.of(first)), first);
        } catch (EventFormatException e) {
            throw damaged(address, e);
        }
    }

    /** Some pieces of the content of a mail as one; empty if there are none. */
    private Optional<byte[]> pieces(Address address, int first, int last) {
        List<byte[]> pieces =
                database.rows(PIECES, row -> row.getBytes(1), address.id(), address.expiresAt(), first, last);
        if (pieces.size() <= 1) {
            return pieces.stream().findFirst();
        }
        ByteBuffer joined = ByteBuffer.allocate(
                pieces.stream().mapToInt(piece -> piece.length).sum());
        pieces.forEach(joined::put);
        return Optional.of(joined.array());
    }

    /** The error for a mail that was deleted between two statements, with its address or when that expired. */
    private ApiException gone(UUID accountId, Address address) {
        addresses.read(accountId, new AddressPath(address.id()));
        return AddressPath.noSuchAddress();
    }

    private IllegalStateException damaged(Address address, EventFormatException cause) {
        unreadable.increment();
        LOG.errorf("stored mail is damaged addressId=%s", address.id());
        return new IllegalStateException("the stored mail is not readable", cause);
    }

    private static long bytes(List<Leaf> leaves) {
        return leaves.stream().mapToLong(Leaf::length).sum();
    }

    private static String body(Reading mail, List<Leaf> leaves, BiFunction<Leaf, byte[], String> decoding) {
        List<String> pieces = new ArrayList<>();
        for (Leaf leaf : leaves) {
            pieces.add(decoding.apply(leaf, mail.slice(leaf.offset(), leaf.length())));
        }
        return pieces.size() == 1 ? pieces.getFirst() : BodyText.join(pieces);
    }

    /** A received mail that one request reads. Keeps what it decoded last. */
    final class Reading {

        private final UUID accountId;
        private final Address address;
        private final MailContent content;
        private final byte[] firstPieces;
        /** Where the decoded bytes begin among the plain bytes. */
        private int decodedFrom;

        private byte[] decoded = new byte[0];

        private Reading(UUID accountId, Address address, MailContent content, byte[] firstPieces) {
            this.accountId = accountId;
            this.address = address;
            this.content = content;
            this.firstPieces = firstPieces;
        }

        /** The length of the message. */
        int messageBytes() {
            return content.messageBytes();
        }

        /** Where the parts of the message lie. */
        MessageStructure structure() {
            try {
                return EventCodec.decodeStructure(plain(0, content.structureBytes()));
            } catch (EventFormatException e) {
                throw damaged(address, e);
            }
        }

        /**
         * A part of the message. It is decoded in chunks, each when the client takes it. Need not be closed: that would read
         * all chunks.
         */
        // SequenceInputStream takes an Enumeration.
        @SuppressWarnings("JdkObsolete")
        InputStream stream(int offset, int length) {
            int end = requireInside(offset, length);
            return new SequenceInputStream(new Enumeration<>() {
                private int next = content.structureBytes() + offset;

                @Override
                public boolean hasMoreElements() {
                    return next < end;
                }

                @Override
                public InputStream nextElement() {
                    Octets chunk = chunk(next, end - next);
                    // Released, as the client may read slowly.
                    decoded = new byte[0];
                    next += chunk.length();
                    return new ByteArrayInputStream(chunk.array(), chunk.offset(), chunk.length());
                }
            });
        }

        private byte[] slice(int offset, int length) {
            var _ = requireInside(offset, length);
            return plain(content.structureBytes() + offset, length);
        }

        /** Returns the end of the part among the plain bytes. */
        private int requireInside(int offset, int length) {
            if (offset > content.messageBytes() || length > content.messageBytes() - offset) {
                throw damaged(address, new EventFormatException("a part lies outside of its message"));
            }
            return content.structureBytes() + offset + length;
        }

        private byte[] plain(int offset, int length) {
            byte[] plain = new byte[length];
            int filled = 0;
            while (filled < length) {
                Octets chunk = chunk(offset + filled, length - filled);
                System.arraycopy(chunk.array(), chunk.offset(), plain, filled, chunk.length());
                filled += chunk.length();
            }
            return plain;
        }

        /** The first plain bytes from an offset, as many as are decoded at once. */
        private Octets chunk(int offset, int lengthMax) {
            if (offset < decodedFrom || offset >= decodedFrom + decoded.length) {
                int frame = offset / MailContent.FRAME_BYTES;
                int last = (offset + lengthMax - 1) / MailContent.FRAME_BYTES;
                decode(frame, Math.min(frame + CHUNK_FRAMES, last + 1));
            }
            int from = offset - decodedFrom;
            return Octets.of(decoded, from, Math.min(lengthMax, decoded.length - from));
        }

        private void decode(int from, int to) {
            int begin = content.begin(from);
            int end = content.begin(to);
            int piece = MailPiece.at(begin);
            byte[] stored = end <= firstPieces.length
                    ? firstPieces
                    : pieces(address, piece, MailPiece.at(end - 1)).orElseThrow(() -> gone(accountId, address));
            int storedFrom = end <= firstPieces.length ? 0 : MailPiece.begin(piece);
            try {
                if (end - storedFrom > stored.length) {
                    throw new EventFormatException("pieces are missing");
                }
                decoded = content.decode(from, to, stored, begin - storedFrom);
                decodedFrom = from * MailContent.FRAME_BYTES;
            } catch (EventFormatException e) {
                throw damaged(address, e);
            }
        }
    }
}
