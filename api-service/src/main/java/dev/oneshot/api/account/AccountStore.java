package dev.oneshot.api.account;

import dev.oneshot.api.database.Database;
import dev.oneshot.api.paging.Page;
import dev.oneshot.api.paging.PageSize;
import dev.oneshot.api.paging.Position;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The accounts in the database. */
@ApplicationScoped
public class AccountStore {

    private static final String COLUMNS =
            "id, name, plan, contact_email, created_at, cycle, used, credits_bought, credits_spent";
    private static final String INSERT =
            "INSERT INTO account (id, name, plan, contact_email, api_key_sha256, created_at)"
                    + " VALUES (?, ?, ?, ?, ?, now()) RETURNING " + COLUMNS;
    private static final String BY_KEY =
            "SELECT " + COLUMNS + " FROM account WHERE api_key_sha256 = ? AND deleted_at IS NULL";
    private static final String BY_ID = "SELECT " + COLUMNS + " FROM account WHERE id = ? AND deleted_at IS NULL";
    private static final String FIRST_PAGE =
            "SELECT " + COLUMNS + " FROM account WHERE deleted_at IS NULL ORDER BY created_at DESC, id DESC LIMIT ?";
    private static final String NEXT_PAGE = "SELECT " + COLUMNS
            + " FROM account WHERE deleted_at IS NULL AND (created_at, id) < (?, ?) ORDER BY created_at DESC, id DESC LIMIT ?";

    /** Every change of what a key stands for is noted, for the replicas that remember it. */
    private static final String NOTED =
            ", noted AS (INSERT INTO account_change (account_id) SELECT id FROM changed) SELECT " + COLUMNS
                    + " FROM changed";

    private static final String CHANGE = "WITH changed AS (UPDATE account SET name = coalesce(?, name),"
            + " plan = coalesce(?, plan), contact_email = nullif(coalesce(?, contact_email), '') WHERE id = ? AND deleted_at IS NULL RETURNING "
            + COLUMNS + ")" + NOTED;
    private static final String REPLACE_KEY = "WITH changed AS (UPDATE account SET api_key_sha256 = ?"
            + " WHERE id = ? AND deleted_at IS NULL RETURNING " + COLUMNS + ")" + NOTED;

    private static final String REPLACE_THIS_KEY = "WITH changed AS (UPDATE account SET api_key_sha256 = ?"
            + " WHERE id = ? AND api_key_sha256 = ? AND deleted_at IS NULL RETURNING " + COLUMNS + ")" + NOTED;

    private static final String MARK_DELETED = "WITH changed AS (UPDATE account SET deleted_at = now()"
            + " WHERE id = ? AND deleted_at IS NULL RETURNING " + COLUMNS + ")" + NOTED;
    private static final String MARKED =
            "SELECT id FROM account WHERE deleted_at IS NOT NULL ORDER BY random() LIMIT ?";
    private static final String IS_MARKED = "SELECT 1 FROM account WHERE id = ? AND deleted_at IS NOT NULL";
    private static final String REMOVE = "DELETE FROM account WHERE id = ? AND deleted_at IS NOT NULL";

    private final Database database;
    private final AccountChanges changes;

    AccountStore(Database database, AccountChanges changes) {
        this.database = database;
        this.changes = changes;
    }

    /** An account with what it has used. */
    public record Row(Account account, AccountUsage usage) {}

    /**
     * Creates an account.
     *
     * @param contactEmail null for none
     */
    public Row create(String name, Plan plan, @Nullable String contactEmail, ApiKey.Hash key) {
        return database.statement(connection -> {
            try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
                insert.setObject(1, UUID.randomUUID());
                insert.setString(2, name);
                insert.setString(3, plan.name());
                insert.setString(4, contactEmail);
                insert.setBytes(5, key.octets());
                return rows(insert).getFirst();
            }
        });
    }

    /** The account with this key. */
    public Optional<Account> findByKey(ApiKey.Hash key) {
        return database.statement(connection -> {
            try (PreparedStatement select = connection.prepareStatement(BY_KEY)) {
                select.setBytes(1, key.octets());
                return rows(select).stream().findFirst().map(Row::account);
            }
        });
    }

    /** The account with this id. */
    public Optional<Row> find(UUID id) {
        return database.statement(connection -> {
            try (PreparedStatement select = connection.prepareStatement(BY_ID)) {
                select.setObject(1, id);
                return rows(select).stream().findFirst();
            }
        });
    }

    /** All accounts, newest first. */
    public Page<Row> list(PageSize size, @Nullable Position after) {
        return database.statement(connection -> {
            try (PreparedStatement select = page(connection, size, after)) {
                return Page.ofOneMore(rows(select), size.limit(), AccountStore::position);
            }
        });
    }

    /**
     * Changes what is given; empty if there is no such account.
     *
     * @param name null to keep it
     * @param plan null to keep it
     * @param contactEmail null to keep it, empty to remove it
     */
    public Optional<Row> change(UUID id, @Nullable String name, @Nullable Plan plan, @Nullable String contactEmail) {
        return noted(id, connection -> {
            try (PreparedStatement change = connection.prepareStatement(CHANGE)) {
                change.setString(1, name);
                change.setString(2, plan == null ? null : plan.name());
                change.setString(3, contactEmail);
                change.setObject(4, id);
                return rows(change).stream().findFirst();
            }
        });
    }

    /** Puts a new key in the place of the old one, which is good for nothing from then on. */
    public Optional<Row> replaceKey(UUID id, ApiKey.Hash key) {
        return noted(id, connection -> {
            try (PreparedStatement replace = connection.prepareStatement(REPLACE_KEY)) {
                replace.setBytes(1, key.octets());
                replace.setObject(2, id);
                return rows(replace).stream().findFirst();
            }
        });
    }

    /** Does the same if the old key is this one; empty if it is not, or there is no such account. */
    public Optional<Row> replaceKey(UUID id, ApiKey.Hash present, ApiKey.Hash key) {
        return noted(id, connection -> {
            try (PreparedStatement replace = connection.prepareStatement(REPLACE_THIS_KEY)) {
                replace.setBytes(1, key.octets());
                replace.setObject(2, id);
                replace.setBytes(3, present.octets());
                return rows(replace).stream().findFirst();
            }
        });
    }

    /** Marks an account as deleted: from then on nothing of it can be created or read. Empty if there is none. */
    public Optional<Row> markDeleted(UUID id) {
        return noted(id, connection -> {
            try (PreparedStatement mark = connection.prepareStatement(MARK_DELETED)) {
                mark.setObject(1, id);
                return rows(mark).stream().findFirst();
            }
        });
    }

    /** Whether the account is marked, but not yet removed. */
    public boolean isMarkedDeleted(UUID id) {
        return database.statement(connection -> {
            try (PreparedStatement select = connection.prepareStatement(IS_MARKED)) {
                select.setObject(1, id);
                try (ResultSet result = select.executeQuery()) {
                    return result.next();
                }
            }
        });
    }

    /**
     * Accounts that are marked, but not yet removed, at most {@code limit}. Chosen at random, so that accounts whose removal
     * fails do not keep the others from their turn.
     */
    public List<UUID> markedDeleted(int limit) {
        return database.statement(connection -> {
            try (PreparedStatement select = connection.prepareStatement(MARKED)) {
                select.setInt(1, limit);
                try (ResultSet result = select.executeQuery()) {
                    List<UUID> ids = new ArrayList<>();
                    while (result.next()) {
                        ids.add(result.getObject(1, UUID.class));
                    }
                    return ids;
                }
            }
        });
    }

    /** Removes the row of a marked account, which has nothing else left. */
    public void remove(UUID id) {
        database.statement(connection -> {
            try (PreparedStatement remove = connection.prepareStatement(REMOVE)) {
                remove.setObject(1, id);
                return remove.executeUpdate();
            }
        });
    }

    private Optional<Row> noted(UUID id, Database.Work<Optional<Row>> change) {
        Optional<Row> row = database.statement(change);
        changes.note(id);
        return row;
    }

    private static PreparedStatement page(Connection connection, PageSize size, @Nullable Position after)
            throws SQLException {
        PreparedStatement select = connection.prepareStatement(after == null ? FIRST_PAGE : NEXT_PAGE);
        int parameter = 1;
        if (after != null) {
            select.setObject(parameter++, after.createdAt().atOffset(ZoneOffset.UTC));
            select.setObject(parameter++, UUID.fromString(after.id()));
        }
        select.setInt(parameter, size.limit() + 1);
        return select;
    }

    private static Position position(Row row) {
        return new Position(row.account().createdAt(), row.account().id().toString());
    }

    private static List<Row> rows(PreparedStatement statement) throws SQLException {
        List<Row> rows = new ArrayList<>();
        try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
                rows.add(row(result));
            }
        }
        return rows;
    }

    private static Row row(ResultSet result) throws SQLException {
        Account account = new Account(
                result.getObject("id", UUID.class),
                result.getString("name"),
                result.getString("plan"),
                result.getString("contact_email"),
                result.getObject("created_at", OffsetDateTime.class).toInstant());
        AccountUsage usage = new AccountUsage(
                result.getInt("cycle"),
                result.getLong("used"),
                result.getLong("credits_bought"),
                result.getLong("credits_spent"));
        return new Row(account, usage);
    }
}
