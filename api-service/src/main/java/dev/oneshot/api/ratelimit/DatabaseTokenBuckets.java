package dev.oneshot.api.ratelimit;

import dev.oneshot.api.database.Database;
import dev.oneshot.api.ratelimit.TokenBuckets.Lease;
import jakarta.enterprise.context.ApplicationScoped;
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
        return database.row(
                        TAKE,
                        row -> new Grant(
                                row.getInt("granted"),
                                row.getInt("lease"),
                                row.getLong("lease_generation"),
                                row.getInt("level"),
                                Duration.ofMillis(1).toNanos() / 1000 * row.getLong("wait_micros")),
                        accountId,
                        rate.perSecond(),
                        rate.burst(),
                        wanted,
                        spare,
                        ended.generation(),
                        ended.size(),
                        ended.unspent(),
                        leaseSeconds)
                .orElseThrow();
    }
}
