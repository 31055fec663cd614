package dev.oneshot.api.removal;

import dev.oneshot.api.address.AddressConfig;
import dev.oneshot.api.address.AddressFilter;
import dev.oneshot.api.address.AddressListQuery;
import dev.oneshot.api.address.AddressPath;
import dev.oneshot.api.address.ClosedAddresses;
import dev.oneshot.api.address.Label;
import dev.oneshot.api.address.Mode;
import dev.oneshot.api.address.Status;
import dev.oneshot.api.database.Database;
import dev.oneshot.api.paging.Position;
import dev.oneshot.api.sending.Outbox;
import dev.oneshot.contracts.event.AddressClosed;
import dev.oneshot.contracts.setting.ValidSetting;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Deletes addresses with their mail. The row is deleted first: its lock waits for a mail that is being stored, and the next
 * statement deletes that mail too. Readers see the whole address or nothing.
 */
@ApplicationScoped
class AddressRemoval {

    private static final int BATCH_MAX = 10_000;

    private static final String CANDIDATES = "SELECT id, created_at, coalesce(mail_size_bytes, 0)";

    /** Locks in id order, as the consumer of mail does, so that the two never deadlock. */
    private static final String DELETE = """
            WITH locked AS MATERIALIZED (
                SELECT id FROM address WHERE id = ANY (?) AND account_id = ? ORDER BY id FOR UPDATE)
            DELETE FROM address WHERE id IN (SELECT id FROM locked)
            RETURNING id, expires_at, expires_at <= now() AS expired, status, mode""";

    /** With the range, PostgreSQL reads one partition only. */
    private static final String DELETE_MAIL =
            "DELETE FROM mail WHERE address_id = ANY (?) AND expires_at >= ? AND expires_at < ?";

    /**
     * If a partition was never analysed, the planner would read all of it for many ids. A generic plan would read all
     * partitions.
     */
    private static final String BY_INDEX_OF_ONE_PARTITION =
            "SET LOCAL enable_seqscan = off; SET LOCAL plan_cache_mode = force_custom_plan";

    private final Database database;
    private final ClosedAddresses closed;
    private final Outbox outbox;
    private final int batch;
    private final long batchBytes;

    AddressRemoval(Database database, ClosedAddresses closed, Outbox outbox, AddressConfig config) {
        this.database = database;
        this.closed = closed;
        this.outbox = outbox;
        this.batch = ValidSetting.between("oneshot.address.delete-batch", config.deleteBatch(), 1, BATCH_MAX);
        this.batchBytes = ValidSetting.atLeast(
                "oneshot.address.delete-batch-bytes", config.deleteBatchBytes().asLongValue(), 1L);
    }

    /**
     * Deletes one address, whatever its status.
     *
     * @throws dev.oneshot.api.error.ApiException 404 if this account has no such address
     */
    void delete(UUID accountId, AddressPath path) {
        List<Removed> removed = remove(accountId, List.of(path.id()));
        if (removed.isEmpty()) {
            throw AddressPath.noSuchAddress();
        }
        announce(removed);
    }

    /**
     * Deletes all addresses that the account has now, in transactions of a bounded number of rows and bytes of mail. Addresses
     * created later stay. When it returns, no address that existed at the call can be read, even if another request deleted
     * some of them. If it fails midway, the rest is still there, and a repetition continues with it.
     *
     * @param label only those with this label; null for all
     */
    void deleteAll(UUID accountId, @Nullable Label label) {
        AddressFilter filter = new AddressFilter(null, label, null);
        List<Candidate> candidates = candidates(accountId, filter, Position.TOP);
        while (!candidates.isEmpty()) {
            announce(remove(
                    accountId,
                    candidates.stream().map(one -> one.position().id()).toList()));
            candidates = candidates(accountId, filter, candidates.getLast().position());
        }
    }

    /**
     * The addresses that one transaction deletes, in the order of lists, beginning after the last batch. So no row is
     * read twice, although deleted rows stay in the index for a while.
     */
    private List<Candidate> candidates(UUID accountId, AddressFilter filter, Position after) {
        AddressListQuery query = new AddressListQuery(accountId, filter, after);
        List<Candidate> candidates = database.rows(
                CANDIDATES + query.from(batch) + " LIMIT " + batch,
                Candidate::read,
                query.parameters().toArray());
        long bytes = 0;
        for (int i = 0; i < candidates.size(); i++) {
            bytes += candidates.get(i).mailBytes();
            if (bytes > batchBytes && i > 0) {
                return candidates.subList(0, i);
            }
        }
        return candidates;
    }

    private record Candidate(Position position, long mailBytes) {
        static Candidate read(ResultSet row) throws SQLException {
            Instant createdAt = row.getObject(2, OffsetDateTime.class).toInstant();
            return new Candidate(new Position(createdAt, row.getString(1)), row.getLong(3));
        }
    }

    @Transactional
    List<Removed> remove(UUID accountId, List<String> ids) {
        List<Removed> removed = database.rows(DELETE, Removed::read, ids, accountId);
        deleteMail(removed);
        List<String> sendIds = removed.stream()
                .filter(address -> address.mode() == Mode.SEND)
                .map(Removed::id)
                .toList();
        if (!sendIds.isEmpty()) {
            outbox.withdraw(accountId, sendIds);
        }
        return removed;
    }

    /** One statement for each hourly partition with mail of these addresses. */
    private void deleteMail(List<Removed> removed) {
        Map<Instant, List<Removed>> byHour = removed.stream()
                .filter(address -> address.status() == Status.RECEIVED)
                .collect(Collectors.groupingBy(address -> address.expiresAt().truncatedTo(ChronoUnit.HOURS)));
        if (!byHour.isEmpty()) {
            database.update(BY_INDEX_OF_ONE_PARTITION);
        }
        byHour.forEach((hour, addresses) -> database.update(
                DELETE_MAIL, addresses.stream().map(Removed::id).toList(), hour, hour.plus(1, ChronoUnit.HOURS)));
    }

    /** Skips expired addresses, as their ids have their expiry. */
    private void announce(List<Removed> removed) {
        removed.stream()
                .filter(address -> !address.isExpired())
                .map(address -> new AddressClosed(address.id(), AddressClosed.Reason.DELETED, address.expiresAt()))
                .forEach(closed::announce);
    }

    /**
     * The last state of a deleted address.
     *
     * @param isExpired whether its time had passed, by the database's clock
     */
    record Removed(String id, Instant expiresAt, boolean isExpired, Status status, Mode mode) {

        static Removed read(ResultSet row) throws SQLException {
            return new Removed(
                    row.getString("id"),
                    row.getObject("expires_at", OffsetDateTime.class).toInstant(),
                    row.getBoolean("expired"),
                    Status.parse(row.getString("status")),
                    Mode.parse(row.getString("mode")));
        }
    }
}
