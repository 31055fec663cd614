package dev.oneshot.expiry.sweep;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/** Bare rows of expired addresses that have been listed long enough: deleted, so that reading them is 404. */
final class ForgottenAddresses implements Sweep {

    private final String delete;
    private final double listedForSeconds;

    ForgottenAddresses(int batchSize, Duration listedFor) {
        this.delete = """
                DELETE FROM address
                WHERE id = ANY (ARRAY (
                    SELECT id
                    FROM address
                    WHERE status = 'expired' AND expires_at <= now() - make_interval(secs => ?)
                    ORDER BY expires_at
                    LIMIT %d
                    FOR UPDATE SKIP LOCKED))""".formatted(batchSize);
        this.listedForSeconds = listedFor.toMillis() / 1000.0;
    }

    @Override
    public String name() {
        return "forgotten-addresses";
    }

    @Override
    public int sweepBatch(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(delete)) {
            statement.setDouble(1, listedForSeconds);
            return statement.executeUpdate();
        }
    }
}
