package dev.oneshot.api.ratelimit;

import dev.oneshot.api.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;

/** Buckets as rows; the database's clock fills them. */
@ApplicationScoped
class DatabaseTokenBuckets implements TokenBuckets {

    private static final String TAKE = "SELECT granted, lease, lease_generation, level, wait_micros"
            + " FROM take_tokens(?, ?, ?, ?, ?, ?, ?, ?, ?)";

    private final Database database;
    private final int leaseSeconds;

    DatabaseTokenBuckets(Database database, RateLimitConfig config) {
        this.database = database;
        this.leaseSeconds = Math.toIntExact(config.leaseTime().toSeconds());
    }

    @Override
    public Grant take(UUID accountId, Rate rate, int wanted, int spare, Lease ended) {
        return database.statement(connection -> {
            try (PreparedStatement take = connection.prepareStatement(TAKE)) {
                take.setObject(1, accountId);
                take.setInt(2, rate.perSecond());
                take.setInt(3, rate.burst());
                take.setInt(4, wanted);
                take.setInt(5, spare);
                take.setLong(6, ended.generation());
                take.setInt(7, ended.size());
                take.setInt(8, ended.unspent());
                take.setInt(9, leaseSeconds);
                return read(take);
            }
        });
    }

    private static Grant read(PreparedStatement take) throws SQLException {
        try (ResultSet result = take.executeQuery()) {
            result.next();
            return new Grant(
                    result.getInt("granted"),
                    result.getInt("lease"),
                    result.getLong("lease_generation"),
                    result.getInt("level"),
                    Duration.ofMillis(1).toNanos() / 1000 * result.getLong("wait_micros"));
        }
    }
}
