package dev.oneshot.api.address;

import dev.oneshot.api.database.Database;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.error.ApiException.Kind;
import dev.oneshot.api.paging.Position;
import dev.oneshot.api.quota.QuotaCharge;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
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
            throw ApiException.of(Kind.EXPIRED, "the address has expired and its data is deleted");
        }
        return address;
    }

    /** This account's addresses, newest first. Only at the end of the list are there fewer than asked for. */
    List<Address> list(UUID accountId, AddressFilter filter, int rowsMax, Position after) {
        AddressListQuery query = new AddressListQuery(accountId, filter, after);
        List<Object> parameters = query.parameters();
        parameters.add(rowsMax);
        return database.rows(query.sql(), this::read, parameters.toArray());
    }

    /** The full address of an id. */
    String addressOf(Mode mode, String id) {
        return id + '@' + (mode == Mode.RECEIVE ? receiveDomain : sendDomain);
    }

    /** Reads {@link #COLUMNS}. */
    Address read(ResultSet result) throws SQLException {
        String id = result.getString("id");
        Mode mode = Mode.parse(result.getString("mode"));
        Status status = Status.parse(result.getString("status"));
        return new Address(
                id,
                addressOf(mode, id),
                mode,
                status,
                result.getTimestamp("created_at").toInstant(),
                result.getTimestamp("expires_at").toInstant(),
                result.getString("label"),
                status == Status.RECEIVED ? summary(result) : null);
    }

    private static Address.EmailSummary summary(ResultSet result) throws SQLException {
        int attachments = result.getInt("mail_attachment_count");
        return new Address.EmailSummary(
                result.getString("mail_from"),
                result.getString("mail_subject"),
                result.getTimestamp("mail_received_at").toInstant().truncatedTo(ChronoUnit.SECONDS),
                result.getInt("mail_size_bytes"),
                attachments > 0,
                attachments);
    }
}
