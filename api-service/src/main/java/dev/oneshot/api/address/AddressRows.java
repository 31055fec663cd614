package dev.oneshot.api.address;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of the table {@code address}, read as {@link Address}es. */
final class AddressRows {

    /** The columns that {@link #read} wants. The database's clock says what has expired. */
    static final String COLUMNS = "id, mode, CASE WHEN expires_at <= now() THEN 'expired' ELSE status END AS status,"
            + " created_at, expires_at, label,"
            + " mail_from, mail_subject, mail_received_at, mail_size_bytes, mail_attachment_count";

    private AddressRows() {}

    static List<Address> read(PreparedStatement statement) throws SQLException {
        List<Address> addresses = new ArrayList<>();
        try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
                addresses.add(address(result));
            }
        }
        return addresses;
    }

    private static Address address(ResultSet result) throws SQLException {
        String status = result.getString("status");
        String mode = result.getString("mode");
        Status known = Status.of(status).orElseThrow(() -> new IllegalStateException("unknown status " + status));
        return new Address(
                result.getString("id"),
                Mode.of(mode).orElseThrow(() -> new IllegalStateException("unknown mode " + mode)),
                known,
                instant(result, "created_at"),
                instant(result, "expires_at"),
                result.getString("label"),
                known == Status.RECEIVED ? summary(result) : null);
    }

    private static @Nullable EmailSummary summary(ResultSet result) throws SQLException {
        return new EmailSummary(
                result.getString("mail_from"),
                result.getString("mail_subject"),
                instant(result, "mail_received_at"),
                result.getInt("mail_size_bytes"),
                result.getInt("mail_attachment_count"));
    }

    private static Instant instant(ResultSet result, String column) throws SQLException {
        return result.getObject(column, OffsetDateTime.class).toInstant();
    }
}
