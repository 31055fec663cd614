package dev.oneshot.api.address;

import dev.oneshot.api.database.Database;
import dev.oneshot.api.sending.Sending;
import dev.oneshot.contracts.event.AddressClosed;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Deletes addresses with their mail. The row goes first: its lock waits for a mail that is just being stored, and the
 * next statement then sees that mail and removes it as well.
 */
@ApplicationScoped
public class AddressRemoval {

    private static final String DELETE =
            "DELETE FROM address WHERE id = ? AND account_id = ? RETURNING id, expires_at, status, mode";
    private static final String DELETE_MAIL = "DELETE FROM mail WHERE address_id = ? AND expires_at = ?";
    private static final String NOW = "SELECT now()";

    private static final String CANDIDATES = """
            SELECT id FROM address WHERE account_id = ? AND label = ? AND created_at <= ?
            ORDER BY created_at DESC, id DESC LIMIT ?""";

    private static final String CANDIDATES_OF_ACCOUNT = """
            SELECT id FROM address WHERE account_id = ? AND created_at <= ?
            ORDER BY created_at DESC, id DESC LIMIT ?""";

    /** Locks in id order, as the consumer of mail does, so that the two never wait for one another in a circle. */
    private static final String DELETE_CANDIDATES = """
            WITH locked AS MATERIALIZED (SELECT id FROM address WHERE id = ANY (?) ORDER BY id FOR UPDATE)
            DELETE FROM address WHERE id IN (SELECT id FROM locked) AND account_id = ?
            RETURNING id, expires_at, status, mode""";

    private final Database database;
    private final ClosedAddresses closed;
    private final Sending sending;
    private final int batch;

    AddressRemoval(Database database, ClosedAddresses closed, Sending sending, AddressConfig config) {
        if (config.deleteBatch() < 1) {
            throw new IllegalArgumentException("oneshot.address.delete-batch must be at least 1");
        }
        this.database = database;
        this.closed = closed;
        this.sending = sending;
        this.batch = config.deleteBatch();
    }

    private record Removed(String id, Instant expiresAt, Status status, Mode mode) {}

    /**
     * Deletes one address, whatever its status.
     *
     * @throws dev.oneshot.api.error.ApiException 404 if this account has no such address
     */
    void delete(UUID accountId, AddressPath path) {
        List<Removed> removed = database.transaction(connection -> {
            try (PreparedStatement delete = connection.prepareStatement(DELETE)) {
                delete.setString(1, path.id());
                delete.setObject(2, accountId);
                return removedWithMail(connection, accountId, delete);
            }
        });
        if (removed.isEmpty()) {
            throw AddressPath.noSuchAddress();
        }
        announce(removed);
    }

    /**
     * Deletes all addresses that have this label now, in transactions of a bounded number of rows. When it fails
     * midway the rest is still there, and asking again goes on with it.
     */
    void deleteByLabel(UUID accountId, Label label) {
        deleteInBatches(accountId, label);
    }

    /** Deletes all addresses that the account has now, in the same way. */
    public void deleteAll(UUID accountId) {
        deleteInBatches(accountId, null);
    }

    private void deleteInBatches(UUID accountId, @Nullable Label label) {
        OffsetDateTime begin = database.statement(AddressRemoval::now);
        int candidates;
        do {
            Batch deleted = database.transaction(connection -> deleteBatch(connection, accountId, label, begin));
            announce(deleted.removed());
            candidates = deleted.candidates();
        } while (candidates == batch);
    }

    /** Of the candidates another deletion may have been faster with some. */
    private record Batch(int candidates, List<Removed> removed) {}

    private Batch deleteBatch(Connection connection, UUID accountId, @Nullable Label label, OffsetDateTime begin)
            throws SQLException {
        List<String> candidates = candidates(connection, accountId, label, begin);
        try (PreparedStatement delete = connection.prepareStatement(DELETE_CANDIDATES)) {
            delete.setArray(1, connection.createArrayOf("text", candidates.toArray()));
            delete.setObject(2, accountId);
            return new Batch(candidates.size(), removedWithMail(connection, accountId, delete));
        }
    }

    private List<String> candidates(Connection connection, UUID accountId, @Nullable Label label, OffsetDateTime begin)
            throws SQLException {
        List<String> candidates = new ArrayList<>();
        try (PreparedStatement select =
                connection.prepareStatement(label == null ? CANDIDATES_OF_ACCOUNT : CANDIDATES)) {
            int next = 1;
            select.setObject(next++, accountId);
            if (label != null) {
                select.setString(next++, label.text());
            }
            select.setObject(next++, begin);
            select.setInt(next, batch);
            try (ResultSet result = select.executeQuery()) {
                while (result.next()) {
                    candidates.add(result.getString(1));
                }
            }
        }
        return candidates;
    }

    private static OffsetDateTime now(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(NOW);
                ResultSet result = select.executeQuery()) {
            result.next();
            return result.getObject(1, OffsetDateTime.class);
        }
    }

    private List<Removed> removedWithMail(Connection connection, UUID accountId, PreparedStatement delete)
            throws SQLException {
        List<Removed> removed = removed(delete);
        try (PreparedStatement mail = connection.prepareStatement(DELETE_MAIL)) {
            for (Removed address : removed) {
                if (address.status() == Status.RECEIVED) {
                    mail.setString(1, address.id());
                    mail.setObject(2, address.expiresAt().atOffset(ZoneOffset.UTC));
                    mail.addBatch();
                }
            }
            mail.executeBatch();
        }
        sending.deleted(
                connection,
                accountId,
                removed.stream()
                        .filter(address -> address.mode() == Mode.SEND)
                        .collect(Collectors.toMap(Removed::id, Removed::expiresAt)));
        return removed;
    }

    private static List<Removed> removed(PreparedStatement delete) throws SQLException {
        List<Removed> removed = new ArrayList<>();
        try (ResultSet result = delete.executeQuery()) {
            while (result.next()) {
                removed.add(new Removed(
                        result.getString("id"),
                        result.getObject("expires_at", OffsetDateTime.class).toInstant(),
                        Status.of(result.getString("status")).orElseThrow(),
                        Mode.of(result.getString("mode")).orElseThrow()));
            }
        }
        return removed;
    }

    private void announce(List<Removed> removed) {
        sending.committed();
        for (Removed address : removed) {
            if (address.mode() == Mode.RECEIVE) {
                closed.announce(new AddressClosed(address.id(), AddressClosed.Reason.DELETED, address.expiresAt()));
            }
        }
    }
}
