package dev.oneshot.api.address;

import dev.oneshot.api.account.Charge;
import dev.oneshot.api.database.Database;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.paging.Page;
import dev.oneshot.api.paging.Position;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The addresses in the database. Every statement carries the account. */
@ApplicationScoped
public class AddressStore {

    /** Charges the account and creates the address, or does neither. */
    private static final String CREATE = "WITH " + Charge.CHARGED + """
            INSERT INTO address (id, account_id, mode, status, label, created_at, expires_at)
            SELECT ?, charged.id, ?, ?, ?, now(), ? FROM charged
            RETURNING\s""" + AddressRows.COLUMNS;

    private static final String FIND =
            "SELECT " + AddressRows.COLUMNS + " FROM address WHERE id = ? AND account_id = ?";

    private final Database database;

    AddressStore(Database database) {
        this.database = database;
    }

    /** Creates and charges; empty if the account could not be charged. One statement. */
    static Optional<Address> create(Connection connection, NewAddress address) throws SQLException {
        try (PreparedStatement create = connection.prepareStatement(CREATE)) {
            Status status = address.mode() == Mode.RECEIVE ? Status.WAITING : Status.SENT;
            int next = address.charge().bind(create, 1);
            create.setString(next++, address.id());
            create.setString(next++, address.mode().text());
            create.setString(next++, status.text());
            create.setString(
                    next++, address.label() == null ? null : address.label().text());
            create.setObject(next, address.expiresAt().atOffset(ZoneOffset.UTC));
            return AddressRows.read(create).stream().findFirst();
        }
    }

    /**
     * The address of this id, to be shown to its owner.
     *
     * @throws ApiException 404 if this account has no such address, 410 if it has expired
     */
    public Address read(UUID accountId, AddressPath path) {
        return database.statement(connection -> read(connection, accountId, path));
    }

    /** As {@link #read(UUID, AddressPath)}, as a part of somebody's transaction. */
    public Address read(Connection connection, UUID accountId, AddressPath path) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(FIND)) {
            select.setString(1, path.id());
            select.setObject(2, accountId);
            Address address = AddressRows.read(select).stream().findFirst().orElseThrow(AddressPath::noSuchAddress);
            if (address.status() == Status.EXPIRED) {
                throw AddressPath.expired();
            }
            return address;
        }
    }

    /** A page of this account's addresses, newest first. Only the last page has fewer items than the limit. */
    Page<Address> list(UUID accountId, AddressFilter filter, int limit, @Nullable Position after) {
        AddressListQuery query = new AddressListQuery(accountId, filter, after);
        return database.statement(connection -> query.page(connection, limit));
    }
}
