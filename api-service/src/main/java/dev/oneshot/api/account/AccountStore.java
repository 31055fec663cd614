package dev.oneshot.api.account;

import dev.oneshot.api.database.Database;
import dev.oneshot.api.idempotency.Idempotency;
import dev.oneshot.api.paging.Position;
import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.transaction.Transactional;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.hibernate.query.NativeQuery;
import org.jspecify.annotations.Nullable;

/** The table {@code account}. Deleted accounts are not found, unless a method says so. */
@ApplicationScoped
@Transactional
public class AccountStore implements PanacheRepositoryBase<AccountEntity, UUID> {

    private static final String BELOW =
            "deletedAt is null and (createdAt, id) < (?1, ?2) order by createdAt desc, id desc";

    private static final String CREATE =
            "INSERT INTO account (id, name, plan, contact_email, api_key_sha256, created_at)"
                    + " VALUES (:id, :name, :plan, :email, :key, now()) RETURNING *";

    private static final String CHANGE = """
            UPDATE account SET name = coalesce(:name, name), plan = coalesce(:plan, plan),
                contact_email = nullif(coalesce(:email, contact_email), '')
            WHERE id = :id AND deleted_at IS NULL RETURNING *""";

    private static final String REPLACE_KEY = """
            WITH changed AS (
                UPDATE account SET api_key_sha256 = :key,
                    replaced_key_sha256 = CASE WHEN :retryKey IS NOT NULL THEN :present END,
                    replaced_by_key = :retryKey, replaced_request_sha256 = decode(:retryRequest, 'hex'),
                    replaced_until = now() + interval '10 minutes'
                WHERE id = :id AND api_key_sha256 = coalesce(:present, api_key_sha256) AND deleted_at IS NULL
                RETURNING *),
            letter AS (
                INSERT INTO letter (account_id, kind, occasion)
                SELECT id, 'KEY_REPLACED', cast(gen_random_uuid() AS text)
                FROM changed WHERE contact_email IS NOT NULL
                ON CONFLICT (account_id, kind) WHERE queued_at IS NULL DO UPDATE SET created_at = excluded.created_at)
            SELECT * FROM changed""";

    private static final String MARK_DELETED =
            "UPDATE account SET deleted_at = coalesce(deleted_at, now()) WHERE id = ?";

    private static final String WITH_KEY =
            "SELECT id, plan, created_at FROM account WHERE api_key_sha256 = ? AND deleted_at IS NULL";

    private static final String WITH_REPLACED_KEY = "SELECT id, plan, created_at, replaced_by_key FROM account"
            + " WHERE replaced_key_sha256 = ? AND replaced_until > now() AND deleted_at IS NULL";

    private static final String REPLACED = """
            SELECT encode(api_key_sha256, 'hex'), encode(replaced_key_sha256, 'hex'), encode(replaced_request_sha256, 'hex')
            FROM account WHERE id = ? AND replaced_by_key = ? AND replaced_until > now() AND deleted_at IS NULL""";

    private final Database database;
    private final Event<Changed> changes;

    AccountStore(Database database, Event<Changed> changes) {
        this.database = database;
        this.changes = changes;
    }

    /** Fired in the transaction that changes or deletes an account. */
    record Changed(UUID id) {}

    /**
     * An account whose key was replaced in the last ten minutes.
     *
     * @param idempotencyKey of the request that replaced it
     */
    record Replacement(Account account, String idempotencyKey) {}

    /**
     * How a key was replaced.
     *
     * @param present the new key
     * @param old the replaced key
     * @param requestSha256 as {@link Idempotency.Key#requestSha256}
     */
    record Replaced(ApiKey.Hash present, ApiKey.Hash old, String requestSha256) {}

    /**
     * Creates an account.
     *
     * @param contactEmail null for none
     */
    public AccountEntity create(String name, Plan plan, @Nullable String contactEmail, ApiKey.Hash key) {
        return row(
                        CREATE,
                        UUID.randomUUID(),
                        query -> query.setParameter("name", name)
                                .setParameter("plan", plan.name())
                                .setParameter("email", contactEmail, String.class)
                                .setParameter("key", key.bytes()))
                .orElseThrow();
    }

    /** The account with this key. A native statement without a transaction, as each key in use is read every 0.8 s. */
    @Transactional(Transactional.TxType.SUPPORTS)
    public Optional<Account> findByKey(ApiKey.Hash key) {
        return database.row(WITH_KEY, AccountStore::account, key.bytes());
    }

    /** The account of which this is the last replaced key. */
    @Transactional(Transactional.TxType.SUPPORTS)
    Optional<Replacement> findByReplacedKey(ApiKey.Hash key) {
        return database.row(
                WITH_REPLACED_KEY, row -> new Replacement(account(row), row.getString("replaced_by_key")), (Object)
                        key.bytes());
    }

    /** The replacement of a key by a request with this {@code Idempotency-Key}; empty if another has followed. */
    Optional<Replaced> replaced(Idempotency.Key key) {
        return database.row(
                REPLACED,
                row -> new Replaced(
                        new ApiKey.Hash(row.getString(1)), new ApiKey.Hash(row.getString(2)), row.getString(3)),
                key.accountId(),
                key.text());
    }

    private static Account account(ResultSet row) throws SQLException {
        return new Account(
                row.getObject("id", UUID.class),
                row.getString("plan"),
                row.getObject("created_at", OffsetDateTime.class).toInstant());
    }

    public Optional<AccountEntity> find(UUID id) {
        return find("id = ?1 and deletedAt is null", id).singleResultOptional();
    }

    /** Accounts, newest first. */
    public List<AccountEntity> list(int rowsMax, Position after) {
        return find(BELOW, after.createdAt(), UUID.fromString(after.id()))
                .range(0, rowsMax - 1)
                .list();
    }

    /**
     * Changes the given values; empty if there is no such account.
     *
     * @param name null to keep it
     * @param plan null to keep it
     * @param contactEmail null to keep it, empty to remove it
     */
    public Optional<AccountEntity> change(
            UUID id, @Nullable String name, @Nullable Plan plan, @Nullable String contactEmail) {
        return changed(
                CHANGE,
                id,
                query -> query.setParameter("name", name, String.class)
                        .setParameter("plan", plan == null ? null : plan.name(), String.class)
                        .setParameter("email", contactEmail, String.class));
    }

    /**
     * Replaces the key; empty if there is no such account, or {@code present} is not its key.
     *
     * @param present null for any
     * @param retry of the request; {@link #replaced} then recognizes its repetition
     */
    public Optional<AccountEntity> replaceKey(
            UUID id, ApiKey.@Nullable Hash present, ApiKey.Hash key, Optional<Idempotency.Key> retry) {
        return changed(
                REPLACE_KEY,
                id,
                query -> query.setParameter("key", key.bytes())
                        .setParameter("present", present == null ? null : present.bytes(), byte[].class)
                        .setParameter(
                                "retryKey", retry.map(Idempotency.Key::text).orElse(null), String.class)
                        .setParameter(
                                "retryRequest",
                                retry.map(Idempotency.Key::requestSha256).orElse(null),
                                String.class));
    }

    /** Marks an account as deleted: from then on nothing of it can be created or read. False if there is no such account. */
    public boolean markDeleted(UUID id) {
        changes.fire(new Changed(id));
        return database.update(MARK_DELETED, id) == 1;
    }

    /** Accounts that are marked, but not yet removed. The order is random, so that a removal that fails does not block the others. */
    public List<UUID> markedDeleted(int rowsMax) {
        return find("deletedAt is not null order by random()").range(0, rowsMax - 1).stream()
                .map(account -> account.id)
                .toList();
    }

    /** Removes the row of a marked account whose other rows are gone. */
    public void remove(UUID id) {
        delete("id = ?1 and deletedAt is not null", id);
    }

    private Optional<AccountEntity> changed(String sql, UUID id, UnaryOperator<NativeQuery<AccountEntity>> parameters) {
        changes.fire(new Changed(id));
        return row(sql, id, parameters);
    }

    private Optional<AccountEntity> row(String sql, UUID id, UnaryOperator<NativeQuery<AccountEntity>> parameters) {
        NativeQuery<AccountEntity> change = getSession().createNativeQuery(sql, AccountEntity.class);
        return parameters.apply(change.setParameter("id", id)).uniqueResultOptional();
    }
}
