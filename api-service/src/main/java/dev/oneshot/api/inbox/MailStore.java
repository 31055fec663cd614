package dev.oneshot.api.inbox;

import dev.oneshot.api.address.Address;
import dev.oneshot.api.address.AddressPath;
import dev.oneshot.api.address.AddressStore;
import dev.oneshot.api.address.EmailSummary;
import dev.oneshot.api.database.Database;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.EventFormatException;
import dev.oneshot.message.BodyText;
import dev.oneshot.message.Leaf;
import dev.oneshot.message.MessageStructure;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The stored mail, of which only what is asked for is read. */
@ApplicationScoped
class MailStore {

    /** The expiry is the partition's key: with it as a value the database opens one partition, not all. */
    private static final String STRUCTURE =
            "SELECT structure FROM mail WHERE address_id = ? AND expires_at = ? AND expires_at > now()";

    /** Nearly all are small. Others have a mebibyte of header fields, and are only read once there is room for them. */
    private static final int SMALL_STRUCTURE_BYTES = 16 * 1024;

    private static final String SMALL_STRUCTURE = "SELECT octet_length(structure),"
            + " CASE WHEN octet_length(structure) <= " + SMALL_STRUCTURE_BYTES + " THEN structure END"
            + " FROM mail WHERE address_id = ? AND expires_at = ? AND expires_at > now()";

    private static final String SLICE = "SELECT substring(raw FROM ? FOR ?) FROM mail"
            + " WHERE address_id = ? AND expires_at = ? AND expires_at > now()";

    private final Database database;
    private final AddressStore addresses;
    private final ReadMemory memory;
    private final int chunkBytes;

    MailStore(Database database, AddressStore addresses, ReadMemory memory, InboxConfig config) {
        long chunk = config.readChunk().asLongValue();
        if (chunk < 1024 || chunk > 16 * 1024 * 1024) {
            throw new IllegalArgumentException("oneshot.inbox.read-chunk must be between 1K and 16M");
        }
        this.database = database;
        this.addresses = addresses;
        this.memory = memory;
        this.chunkBytes = (int) chunk;
    }

    /** A mail with its bodies as text. */
    record Bodies(StoredMail mail, String text, String html) {}

    /**
     * The mail of an address with its bodies.
     *
     * @throws ApiException 404 if there is no such address or no mail yet, 410 if the address has expired, 429 or 503 if too
     *     much mail is being read
     */
    Bodies findWithBodies(UUID accountId, AddressPath path) {
        FoundMail found = find(accountId, path);
        MessageStructure small = found.smallStructure();
        // Once, or requests that hold the first part of what they need would wait for one another.
        memory.reserve(found.structureBytes()
                + (small == null ? found.summary().sizeBytes() : octets(small.text()) + octets(small.html())));
        return database.transaction(connection -> {
            StoredMail mail = found.whole(small == null ? structure(connection, accountId, found.address()) : small);
            String text =
                    body(connection, accountId, mail.address(), mail.structure().text());
            String html =
                    body(connection, accountId, mail.address(), mail.structure().html());
            return new Bodies(mail, text, html);
        });
    }

    /**
     * The mail of an address, a part of which is then {@linkplain #stream streamed}.
     *
     * @throws ApiException as {@link #findWithBodies}
     */
    StoredMail findToStream(UUID accountId, AddressPath path) {
        FoundMail found = find(accountId, path);
        MessageStructure small = found.smallStructure();
        reserveForDownload(small == null ? found.structureBytes() : 0, found.summary());
        return found.whole(
                small == null
                        ? database.statement(connection -> structure(connection, accountId, found.address()))
                        : small);
    }

    /**
     * An address with a mail that is then {@linkplain #stream streamed} as it came.
     *
     * @throws ApiException as {@link #findWithBodies}
     */
    Received findToStreamWhole(UUID accountId, AddressPath path) {
        Received received = database.statement(connection -> received(connection, accountId, path));
        reserveForDownload(0, received.summary());
        return received;
    }

    private void reserveForDownload(long heldOctets, EmailSummary summary) {
        memory.reserveForDownload(heldOctets, Math.min(chunkBytes, summary.sizeBytes()), summary.sizeBytes());
    }

    /** A part of a mail's octets, read as somebody takes it, each chunk by a statement of its own. */
    InputStream stream(UUID accountId, Address address, int offset, int length) {
        return new SliceInputStream(
                (at, bytes) -> database.statement(connection -> slice(connection, accountId, address, at, bytes)),
                offset,
                length,
                chunkBytes);
    }

    /** An address and what is known of its mail without looking at that. */
    record Received(Address address, EmailSummary summary) {}

    private Received received(Connection connection, UUID accountId, AddressPath path) throws SQLException {
        Address address = addresses.read(connection, accountId, path);
        EmailSummary summary = address.summary();
        if (summary == null) {
            throw ApiException.notFound("no e-mail has arrived at this address");
        }
        return new Received(address, summary);
    }

    /** A mail before there is room for it. */
    private record FoundMail(
            Address address,
            EmailSummary summary,
            int structureBytes,
            @Nullable MessageStructure smallStructure) {

        StoredMail whole(MessageStructure structure) {
            return new StoredMail(address, summary, structure);
        }
    }

    private FoundMail find(UUID accountId, AddressPath path) {
        return database.transaction(connection -> find(connection, accountId, path));
    }

    private FoundMail find(Connection connection, UUID accountId, AddressPath path) throws SQLException {
        Received received = received(connection, accountId, path);
        Address address = received.address();
        try (PreparedStatement select = connection.prepareStatement(SMALL_STRUCTURE)) {
            bind(select, 1, address);
            try (ResultSet result = select.executeQuery()) {
                if (!result.next()) {
                    throw gone(connection, accountId, address);
                }
                byte[] small = result.getBytes(2);
                return new FoundMail(
                        address, received.summary(), result.getInt(1), small == null ? null : structure(small));
            }
        }
    }

    private MessageStructure structure(Connection connection, UUID accountId, Address address) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(STRUCTURE)) {
            bind(select, 1, address);
            try (ResultSet result = select.executeQuery()) {
                if (!result.next()) {
                    throw gone(connection, accountId, address);
                }
                return structure(result.getBytes(1));
            }
        }
    }

    private static void bind(PreparedStatement select, int first, Address address) throws SQLException {
        select.setString(first, address.id());
        select.setObject(first + 1, address.expiresAt().atOffset(ZoneOffset.UTC));
    }

    /** What to say of a mail that went between two statements, with its address or at the address's expiry. */
    private ApiException gone(Connection connection, UUID accountId, Address address) throws SQLException {
        addresses.read(connection, accountId, new AddressPath(address.id()));
        return AddressPath.noSuchAddress();
    }

    private static MessageStructure structure(byte[] octets) {
        try {
            return EventCodec.decodeStructure(octets);
        } catch (EventFormatException e) {
            throw new IllegalStateException("a stored structure is not readable", e);
        }
    }

    private static long octets(List<Leaf> leaves) {
        return leaves.stream().mapToLong(Leaf::length).sum();
    }

    private String body(Connection connection, UUID accountId, Address address, List<Leaf> leaves) throws SQLException {
        List<String> pieces = new ArrayList<>();
        for (Leaf leaf : leaves) {
            pieces.add(leaf.text(slice(connection, accountId, address, leaf.offset(), leaf.length())));
        }
        return pieces.size() == 1 ? pieces.getFirst() : BodyText.join(pieces);
    }

    private byte[] slice(Connection connection, UUID accountId, Address address, int offset, int length)
            throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(SLICE)) {
            // SQL counts from 1.
            select.setInt(1, offset + 1);
            select.setInt(2, length);
            bind(select, 3, address);
            try (ResultSet result = select.executeQuery()) {
                if (!result.next()) {
                    throw gone(connection, accountId, address);
                }
                return result.getBytes(1);
            }
        }
    }
}
