package dev.oneshot.api.inbox;

import dev.oneshot.api.address.Address;
import dev.oneshot.api.address.AddressPath;
import dev.oneshot.api.address.AddressStore;
import dev.oneshot.api.database.Database;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.EventFormatException;
import dev.oneshot.message.BodyText;
import dev.oneshot.message.Leaf;
import dev.oneshot.message.MessageStructure;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The stored mail; reads only the requested parts. */
@ApplicationScoped
class MailStore {

    /** The expiry is the partition's key: given as a value, the database opens one partition, not all. */
    private static final String STRUCTURE =
            "SELECT structure FROM mail WHERE address_id = ? AND expires_at = ? AND expires_at > now()";

    /** Nearly all structures are small. A larger one is read only after memory is reserved for it. */
    private static final int SMALL_STRUCTURE_BYTES = 16 * 1024;

    private static final String SMALL_STRUCTURE = "SELECT octet_length(structure),"
            + " CASE WHEN octet_length(structure) <= " + SMALL_STRUCTURE_BYTES + " THEN structure END"
            + " FROM mail WHERE address_id = ? AND expires_at = ? AND expires_at > now()";

    private static final String SLICE = "SELECT substring(raw FROM ? FOR ?) FROM mail"
            + " WHERE address_id = ? AND expires_at = ? AND expires_at > now()";

    private final Database database;
    private final AddressStore addresses;
    private final ReadMemory memory;

    MailStore(Database database, AddressStore addresses, ReadMemory memory) {
        this.database = database;
        this.addresses = addresses;
        this.memory = memory;
    }

    /**
     * The parsed mail of an address.
     *
     * @throws ApiException 404 if there is no such address or no mail yet, 410 if the address has expired, 429 or 503 if too
     *     much mail is being read
     */
    EmailView email(UUID accountId, AddressPath path) {
        Found found = find(accountId, path);
        MessageStructure small = found.smallStructure();
        // Reserves all memory at once. Requests that reserve in parts could wait for each other.
        memory.reserve(found.structureBytes()
                + (small == null ? found.address().mail().sizeBytes() : bytes(small.text()) + bytes(small.html())));
        Address address = found.address();
        MessageStructure structure = structure(accountId, found);
        return EmailView.of(
                address,
                structure,
                body(accountId, address, structure.text(), Leaf::text),
                body(accountId, address, structure.html(), Leaf::html));
    }

    /**
     * A mail, a part of which is then {@linkplain #stream streamed}.
     *
     * @throws ApiException as {@link #email}
     */
    StoredMail findToStream(UUID accountId, AddressPath path) {
        Found found = find(accountId, path);
        memory.reserveForDownload(
                found.smallStructure() == null ? found.structureBytes() : 0,
                found.address().mail().sizeBytes());
        return new StoredMail(found.address(), structure(accountId, found));
    }

    /**
     * An address with a mail that is then {@linkplain #stream streamed} as it was received.
     *
     * @throws ApiException as {@link #email}
     */
    Address findToStreamWhole(UUID accountId, AddressPath path) {
        Address address = addresses.read(accountId, path);
        memory.reserveForDownload(0, address.mail().sizeBytes());
        return address;
    }

    /**
     * A part of a mail's bytes. Each chunk is read by a statement of its own, when the client takes it. Need not be closed: that
     * would read all chunks.
     */
    // SequenceInputStream takes an Enumeration.
    @SuppressWarnings("JdkObsolete")
    InputStream stream(UUID accountId, Address address, int offset, int length) {
        int end = offset + length;
        return new SequenceInputStream(new Enumeration<>() {
            private int next = offset;

            @Override
            public boolean hasMoreElements() {
                return next < end;
            }

            @Override
            public InputStream nextElement() {
                int wanted = Math.min(ReadMemory.CHUNK_BYTES, end - next);
                byte[] chunk = slice(accountId, address, next, wanted);
                if (chunk.length != wanted) {
                    throw new IllegalStateException("the mail ends before its structure says");
                }
                next += wanted;
                return new ByteArrayInputStream(chunk);
            }
        });
    }

    /**
     * A received mail without its content.
     *
     * @param structure where its parts lie in its content
     */
    record StoredMail(Address address, MessageStructure structure) {}

    /** A mail before memory is reserved for it; its structure only if that is small. */
    private record Found(
            Address address, int structureBytes, @Nullable MessageStructure smallStructure) {}

    private Found find(UUID accountId, AddressPath path) {
        Address address = addresses.read(accountId, path);
        var _ = address.mail();
        return database.row(
                        SMALL_STRUCTURE,
                        row -> {
                            byte[] small = row.getBytes(2);
                            return new Found(address, row.getInt(1), small == null ? null : structure(small));
                        },
                        address.id(),
                        address.expiresAt())
                .orElseThrow(() -> gone(accountId, address));
    }

    private MessageStructure structure(UUID accountId, Found found) {
        if (found.smallStructure() != null) {
            return found.smallStructure();
        }
        Address address = found.address();
        return database.row(STRUCTURE, row -> structure(row.getBytes(1)), address.id(), address.expiresAt())
                .orElseThrow(() -> gone(accountId, address));
    }

    /** The error for a mail that was deleted between two statements, with its address or when that expired. */
    private ApiException gone(UUID accountId, Address address) {
        addresses.read(accountId, new AddressPath(address.id()));
        return AddressPath.noSuchAddress();
    }

    private static MessageStructure structure(byte[] bytes) {
        try {
            return EventCodec.decodeStructure(bytes);
        } catch (EventFormatException e) {
            throw new IllegalStateException("a stored structure is not readable", e);
        }
    }

    private static long bytes(List<Leaf> leaves) {
        return leaves.stream().mapToLong(Leaf::length).sum();
    }

    private String body(UUID accountId, Address address, List<Leaf> leaves, BiFunction<Leaf, byte[], String> decoding) {
        List<String> pieces = new ArrayList<>();
        for (Leaf leaf : leaves) {
            pieces.add(decoding.apply(leaf, slice(accountId, address, leaf.offset(), leaf.length())));
        }
        return pieces.size() == 1 ? pieces.getFirst() : BodyText.join(pieces);
    }

    private byte[] slice(UUID accountId, Address address, int offset, int length) {
        // SQL counts from 1.
        return database.row(SLICE, row -> row.getBytes(1), offset + 1, length, address.id(), address.expiresAt())
                .orElseThrow(() -> gone(accountId, address));
    }
}
