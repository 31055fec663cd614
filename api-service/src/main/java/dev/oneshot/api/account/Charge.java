package dev.oneshot.api.account;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/**
 * The price of one address: one of the billing cycle's allocation, or else one credit. It is a part of the statement
 * that creates the address, so that there is never the one without the other, whoever else creates at the same time:
 * the row of the account is the lock, and PostgreSQL looks at its newest version again once it has that lock.
 *
 * @param accountId who pays
 * @param cycle the present billing cycle; an earlier one than the account's own, by a clock that is late, counts as that
 * @param allocation how many addresses a cycle includes, at least 0
 */
public record Charge(UUID accountId, int cycle, long allocation) {

    /**
     * A common table expression {@code charged} with the account's {@code id}, or no row if nothing is left. What
     * {@code used} counts is what was taken from the allocation, so that credits are only spent beyond it.
     */
    public static final String CHARGED = """
            present AS (
                SELECT ?::integer AS cycle, ?::bigint AS allocation),
            charged AS (
                UPDATE account SET
                    cycle = greatest(account.cycle, present.cycle),
                    used = CASE
                        WHEN account.cycle < present.cycle THEN least(present.allocation, 1)
                        WHEN account.used < present.allocation THEN account.used + 1
                        ELSE account.used END,
                    credits_spent = CASE
                        WHEN present.allocation > 0
                            AND (account.cycle < present.cycle OR account.used < present.allocation)
                            THEN account.credits_spent
                        ELSE account.credits_spent + 1 END
                FROM present
                WHERE account.id = ? AND account.deleted_at IS NULL
                    AND (account.credits_spent < account.credits_bought
                        OR present.allocation > 0
                            AND (account.cycle < present.cycle OR account.used < present.allocation))
                RETURNING account.id)
            """;

    private static final String EXISTS = "SELECT 1 FROM account WHERE id = ? AND deleted_at IS NULL";

    /** Binds the parameters of {@link #CHARGED}; answers the index of the next one. */
    public int bind(PreparedStatement statement, int first) throws SQLException {
        int next = first;
        statement.setInt(next++, cycle);
        statement.setLong(next++, allocation);
        statement.setObject(next++, accountId);
        return next;
    }

    /** Why there was no row: whether there is such an account at all. */
    boolean accountExists(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(EXISTS)) {
            select.setObject(1, accountId);
            try (ResultSet result = select.executeQuery()) {
                return result.next();
            }
        }
    }
}
