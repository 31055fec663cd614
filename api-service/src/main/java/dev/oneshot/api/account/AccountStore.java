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

    private static final String COLUMNS = "id, name, plan, created_at, cycle, used, credits_bought, credits_spent";
    private static final String INSERT = "INSERT INTO account (id, name, plan, api_key_sha256, created_at)"
            + " VALUES (?, ?, ?, ?, now()) RETURNING " + COLUMNS;
    private static final String BY_KEY = "SELECT " + COLUMNS + " FROM account WHERE api_key_sha256 = ?";
    private static final String BY_ID = "SELECT " + COLUMNS + " FROM account WHERE id = ?";
    private static final String FIRST_PAGE =
            "SELECT " + COLUMNS + " FROM account ORDER BY created_at DESC, id DESC LIMIT ?";
    private static final String NEXT_PAGE = "SELECT " + COLUMNS
            + " FROM account WHERE (created_at, id) < (?, ?) ORDER BY created_at DESC, id DESC LIMIT ?";

    private final Database database;

    AccountStore(Database database) {
        this.database = database;
    }

    /** An account with what it has used. */
    public record Row(Account account, AccountUsage usage) {}

    /** Creates an account. */
    public Row create(String name, Plan plan, ApiKey.Hash key) {
        return database.statement(connection -> {
            try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
                insert.setObject(1, UUID.randomUUID());
                insert.setString(2, name);
                insert.setString(3, plan.name());
                insert.setBytes(4, key.octets());
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
                result.getObject("created_at", OffsetDateTime.class).toInstant());
        AccountUsage usage = new AccountUsage(
                result.getInt("cycle"),
                result.getLong("used"),
                result.getLong("credits_bought"),
                result.getLong("credits_spent"));
        return new Row(account, usage);
    }
}
