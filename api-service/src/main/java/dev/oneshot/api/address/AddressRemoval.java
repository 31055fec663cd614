package dev.oneshot.api.address;

import dev.oneshot.api.database.Database;
import dev.oneshot.api.paging.Position;
import dev.oneshot.api.sending.Sending;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Deletes addresses with their mail. The row goes first: its lock waits for a mail that is just being stored, and the
 * next statement then sees that mail and removes it as well. Who reads meanwhile sees an address whole or not at all.
 */
@ApplicationScoped
public class AddressRemoval {

    private static final int BATCH_MAX = 10_000;

    private static final String DELETE =
            "DELETE FROM address WHERE id = ? AND account_id = ? RETURNING " + Removed.COLUMNS;

    /** Locks in id order, as the consumer of mail does, so that the two never wait for one another in a circle. */
    private static final String DELETE_BATCH = """
            WITH locked AS MATERIALIZED (SELECT id FROM address WHERE id = ANY (?) ORDER BY id FOR UPDATE)
            DELETE FROM address WHERE id IN (SELECT id FROM locked) AND account_id = ?
            RETURNING\s""" + Removed.COLUMNS;

    private final Database database;
    private final ClosedAddresses closed;
    private final Sending sending;
    private final int batch;
    private final long batchBytes;

    AddressRemoval(Database database, ClosedAddresses closed, Sending sending, AddressConfig config) {
        if (config.deleteBatch() < 1 || config.deleteBatch() > BATCH_MAX) {
            throw new IllegalArgumentException("oneshot.address.delete-batch must be between 1 and " + BATCH_MAX);
        }
        if (config.deleteBatchBytes().asLongValue() < 1) {
            throw new IllegalArgumentException("oneshot.address.delete-batch-bytes must be at least 1");
        }
        this.database = database;
        this.closed = closed;
        this.sending = sending;
        this.batch = config.deleteBatch();
        this.batchBytes = config.deleteBatchBytes().asLongValue();
    }

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
                return withMail(connection, accountId, Removed.by(delete));
            }
        });
        if (removed.isEmpty()) {
            throw AddressPath.noSuchAddress();
        }
        announce(removed);
    }

    /**
     * Deletes all addresses that have this label now, in transactions of a bounded number of rows and octets of mail;
     * those created meanwhile stay. When it returns nobody can read them any more, also if another deletion was faster
     * with some. When it fails midway the rest is still there, and asking again goes on with it.
     */
    void deleteByLabel(UUID accountId, Label label) {
        deleteInBatches(accountId, label);
    }

    /** Deletes all addresses that the account has now, in the same way. */
    public void deleteAll(UUID accountId) {
        deleteInBatches(accountId, null);
    }

    private void deleteInBatches(UUID accountId, @Nullable Label label) {
        Position position = database.statement(connection -> RemovalBatch.begin(connection, accountId));
        while (position != null) {
            position = deleteBatch(accountId, label, position);
        }
    }

    private @Nullable Position deleteBatch(UUID accountId, @Nullable Label label, Position position) {
        RemovalBatch candidates = database.statement(
                connection -> RemovalBatch.after(position, connection, accountId, label, batch, batchBytes));
        if (!candidates.ids().isEmpty()) {
            announce(database.transaction(connection -> deleteBatch(connection, accountId, candidates)));
        }
        return candidates.last();
    }

    private List<Removed> deleteBatch(Connection connection, UUID accountId, RemovalBatch candidates)
            throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement(DELETE_BATCH)) {
            delete.setArray(1, connection.createArrayOf("text", candidates.ids().toArray()));
            delete.setObject(2, accountId);
            return withMail(connection, accountId, Removed.by(delete));
        }
    }

    private List<Removed> withMail(Connection connection, UUID accountId, List<Removed> removed) throws SQLException {
        RemovedMail.delete(connection, removed);
        List<Removed> sent =
                removed.stream().filter(address -> address.mode() == Mode.SEND).toList();
        sending.deleted(connection, accountId, sent.stream().map(Removed::id).toList());
        return removed;
    }

    private void announce(List<Removed> removed) {
        removed.stream()
                .filter(address -> address.mode() == Mode.RECEIVE && !address.isExpired())
                .map(Removed::closed)
                .forEach(closed::announce);
    }
}
