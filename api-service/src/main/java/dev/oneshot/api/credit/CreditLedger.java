package dev.oneshot.api.credit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalLong;
import java.util.UUID;

/** The ledger: every entry is added together with the balance it changes, in one statement. */
final class CreditLedger {

    private static final String ADD = """
            WITH credited AS (
                UPDATE account SET credits_bought = credits_bought + ? WHERE id = ? AND deleted_at IS NULL
                RETURNING id, credits_bought - credits_spent AS balance),
            entry AS (
                INSERT INTO credit_entry (account_id, credits, origin, reference) SELECT id, ?, ?, ? FROM credited)
            SELECT balance FROM credited""";

    private CreditLedger() {}

    /** Who gave credits. */
    enum Origin {
        PURCHASE("purchase"),
        OPERATOR("operator");

        private final String text;

        Origin(String text) {
            this.text = text;
        }
    }

    /** Adds an entry; answers the balance, or nothing if there is no such account. */
    static OptionalLong add(Connection connection, UUID accountId, int credits, Origin origin, String reference)
            throws SQLException {
        try (PreparedStatement add = connection.prepareStatement(ADD)) {
            add.setInt(1, credits);
            add.setObject(2, accountId);
            add.setInt(3, credits);
            add.setString(4, origin.text);
            add.setString(5, reference);
            try (ResultSet result = add.executeQuery()) {
                return result.next() ? OptionalLong.of(result.getLong(1)) : OptionalLong.empty();
            }
        }
    }
}
