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

/** The stored mail, of which only what is asked for is read. */
@ApplicationScoped
class MailStore {

    /** The expiry is the partition's key: with it as a value the database opens one partition, not all. */
    private static final String STRUCTURE =
            "SELECT structure FROM mail WHERE address_id = ? AND expires_at = ? AND expires_at > now()";

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

    /**
     * The mail of an address, without its octets.
     *
     * @throws ApiException 404 if there is no such address or no mail yet, 410 if the address has expired
     */
    StoredMail find(UUID accountId, AddressPath path) {
        return database.transaction(connection -> find(connection, accountId, path));
    }

    /** A mail with its bodies as text. */
    record Bodies(StoredMail mail, String text, String html) {}

    /**
     * The mail of an address with its bodies.
     *
     * @throws ApiException as {@link #find(UUID, AddressPath)}, and 503 if too many large bodies are being read
     */
    Bodies findWithBodies(UUID accountId, AddressPath path) {
        StoredMail found = find(accountId, path);
        MessageStructure structure = found.structure();
        memory.reserve(octets(structure.text()) + octets(structure.html()));
        return database.transaction(connection -> {
            String text = body(connection, found.address(), structure.text());
            String html = body(connection, found.address(), structure.html());
            return new Bodies(found, text, html);
        });
    }

    /** A part of a mail's octets, read as somebody takes it, each chunk by a statement of its own. */
    InputStream stream(Address address, int offset, int length) {
        return new SliceInputStream(
                (at, bytes) -> database.statement(connection -> slice(connection, address, at, bytes)),
                offset,
                length,
                chunkBytes);
    }

    private StoredMail find(Connection connection, UUID accountId, AddressPath path) throws SQLException {
        Address address = addresses.read(connection, accountId, path);
        EmailSummary summary = address.summary();
        if (summary == null) {
            throw ApiException.notFound("no e-mail has arrived at this address");
        }
        try (PreparedStatement select = connection.prepareStatement(STRUCTURE)) {
            select.setString(1, address.id());
            select.setObject(2, address.expiresAt().atOffset(ZoneOffset.UTC));
            try (ResultSet result = select.executeQuery()) {
                if (!result.next()) {
                    throw AddressPath.noSuchAddress();
                }
                return new StoredMail(address, summary, structure(result.getBytes(1)));
            }
        }
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

    private static String body(Connection connection, Address address, List<Leaf> leaves) throws SQLException {
        List<String> pieces = new ArrayList<>();
        for (Leaf leaf : leaves) {
            pieces.add(leaf.text(slice(connection, address, leaf.offset(), leaf.length())));
        }
        return BodyText.join(pieces);
    }

    private static byte[] slice(Connection connection, Address address, int offset, int length) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(SLICE)) {
            // SQL counts from 1.
            select.setInt(1, offset + 1);
            select.setInt(2, length);
            select.setString(3, address.id());
            select.setObject(4, address.expiresAt().atOffset(ZoneOffset.UTC));
            try (ResultSet result = select.executeQuery()) {
                if (!result.next()) {
                    throw AddressPath.noSuchAddress();
                }
                return result.getBytes(1);
            }
        }
    }
}
