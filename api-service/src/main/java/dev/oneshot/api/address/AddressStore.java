package dev.oneshot.api.address;

import dev.oneshot.api.database.Database;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.paging.Page;
import dev.oneshot.api.paging.Page.Position;
import dev.oneshot.api.quota.QuotaCharge;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The addresses in the database. Every statement carries the account. */
@ApplicationScoped
public class AddressStore {

    /** The columns of an {@link Address}. The database's clock says what has expired. */
    static final String COLUMNS = "id, mode, CASE WHEN expires_at <= now() THEN 'expired' ELSE status END AS status,"
            + " created_at, expires_at, label,"
            + " mail_from, mail_subject, mail_received_at, mail_size_bytes, mail_attachment_count";

    /** Charges the account and creates the address, or does neither. */
    private static final String CREATE = "WITH " + QuotaCharge.CHARGED + """
            INSERT INTO address (id, account_id, mode, status, label, created_at, expires_at)
            SELECT ?, charged.id, ?, ?, ?, now(), ? FROM charged""";

    private static final String FIND = "SELECT " + COLUMNS + " FROM address WHERE id = ? AND account_id = ?";

    private final Database database;
    private final String receiveDomain;
    private final String sendDomain;

    AddressStore(Database database, AddressConfig config) {
        this.database = database;
        this.receiveDomain = config.receiveDomain();
        this.sendDomain = config.sendDomain();
    }

    /** Creates and charges in one statement; false if the account could not be charged. */
    boolean create(String id, NewAddress address, Instant expiresAt, QuotaCharge charge) {
        List<@Nullable Object> parameters = new ArrayList<>(charge.parameters());
        parameters.add(id);
        parameters.add(address.mode().text());
        parameters.add(Status.ofNew(address.mode()).text());
        parameters.add(address.label() == null ? null : address.label().text());
        parameters.add(expiresAt);
        return database.update(CREATE, parameters.toArray()) == 1;
    }

    /**
     * The address of this id, to be shown to its owner.
     *
     * @throws ApiException 404 if this account has no such address, 410 if it has expired
     */
    public Address read(UUID accountId, AddressPath path) {
        Address address = database.row(FIND, this::read, path.id(), accountId).orElseThrow(AddressPath::noSuchAddress);
        if (address.status() == Status.EXPIRED) {
            throw AddressPath.expired();
        }
        return address;
    }

    /** A page of this account's addresses, newest first. Only the last page has fewer items than the limit. */
    Page<Address> list(UUID accountId, AddressFilter filter, int limit, @Nullable Position after) {
        return new AddressListQuery(accountId, filter, after).page(database, this::read, limit);
    }

    /** The full address of an id. */
    String addressOf(Mode mode, String id) {
        return id + '@' + (mode == Mode.RECEIVE ? receiveDomain : sendDomain);
    }

    /** Reads {@link #COLUMNS}. */
    Address read(ResultSet result) throws SQLException {
        String id = result.getString("id");
        Mode mode = Mode.of(result.getString("mode")).orElseThrow();
        Status status = Status.of(result.getString("status")).orElseThrow();
        return new Address(
                id,
                addressOf(mode, id),
                mode,
                status,
                instant(result, "created_at"),
                instant(result, "expires_at"),
                result.getString("label"),
                status == Status.RECEIVED ? summary(result) : null);
    }

    private static Address.EmailSummary summary(ResultSet result) throws SQLException {
        int attachments = result.getInt("mail_attachment_count");
        return new Address.EmailSummary(
                result.getString("mail_from"),
                result.getString("mail_subject"),
                instant(result, "mail_received_at").truncatedTo(ChronoUnit.SECONDS),
                result.getInt("mail_size_bytes"),
                attachments > 0,
                attachments);
    }

    private static Instant instant(ResultSet result, String column) throws SQLException {
        return result.getObject(column, OffsetDateTime.class).toInstant();
    }
}
