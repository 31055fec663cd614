package dev.oneshot.api.ratelimit;

import dev.oneshot.api.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.UUID;

/** The accounts' buckets, which all replicas share: rows that the database's clock fills. */
@ApplicationScoped
class TokenBuckets {

    /**
     * How long tokens taken ahead are valid, in whole seconds. A longer time saves round trips for slow clients, but other replicas
     * cannot use the tokens that one holds.
     */
    static final Duration LEASE_TIME = Duration.ofSeconds(10);

    private static final String TAKE = "SELECT granted, lease, lease_generation, level, wait_micros"
            + " FROM take_tokens(?, ?, ?, ?, ?, ?, ?, ?, ?)";

    private final Database database;

    TokenBuckets(Database database) {
        this.database = database;
    }

    /**
     * The granted tokens.
     *
     * @param granted of the wanted ones
     * @param spare of the spare ones; none if not all wanted ones were granted
     * @param generation that the spare ones belong to
     * @param level how many are left in the bucket
     * @param waitNanos until there is another one, if not all wanted ones were granted
     */
    record Grant(int granted, int spare, long generation, int level, long waitNanos) {}

    /**
     * Tokens that a replica took ahead.
     *
     * @param generation of leases that it belongs to, by which the bucket ends it
     * @param size how many there were
     * @param unspent how many are left
     * @param endsAtNanos when they become invalid, by {@link System#nanoTime()}
     */
    record Lease(long generation, int size, int unspent, long endsAtNanos) {

        /** Holds nothing and belongs to no generation. */
        static final Lease NONE = new Lease(-1, 0, 0, 0);

        boolean isUsable(long nowNanos) {
            return unspent > 0 && endsAtNanos - nowNanos > 0;
        }

        Lease spend() {
            return new Lease(generation, size, unspent - 1, endsAtNanos);
        }
    }

    /**
     * Takes tokens; blocking.
     *
     * @param wanted to be spent at once, at least 1
     * @param spare to take ahead, if there are enough
     * @param ended the last lease of this account, to be given back
     * @throws RuntimeException if the buckets cannot be reached; then nothing was taken, or it is lost
     */
    Grant take(UUID accountId, Rate rate, int wanted, int spare, Lease ended) {
        return database.row(
                        TAKE,
                        row -> new Grant(
                                row.getInt("granted"),
                                row.getInt("lease"),
                                row.getLong("lease_generation"),
                                row.getInt("level"),
                                1000 * row.getLong("wait_micros")),
                        accountId,
                        rate.perSecond(),
                        rate.burst(),
                        wanted,
                        spare,
                        ended.generation(),
                        ended.size(),
                        ended.unspent(),
                        Math.toIntExact(LEASE_TIME.toSeconds()))
                .orElseThrow();
    }
}
