package dev.oneshot.api.idempotency;

import dev.oneshot.api.database.Database;
import dev.oneshot.api.error.ApiError;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.contracts.setting.ValidSetting;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Runs the effect of a key once for all replicas, and keeps its response.
 *
 * <p>The lock on the key, the look for a kept response, the effect and its response are one transaction: if the process dies,
 * nothing has happened and the key is free. A rejection is not kept, as the next try may succeed.
 */
@ApplicationScoped
class IdempotencyStore {

    private static final Duration RETENTION_MIN = Duration.ofSeconds(1);
    private static final Duration RETENTION_MAX = Duration.ofDays(7);

    /** Most effects end sooner. */
    private static final Duration CONFLICT_RETRY_AFTER = Duration.ofSeconds(1);

    private static final String TRY_LOCK = "SELECT pg_try_advisory_xact_lock(?)";
    private static final String FIND = "SELECT encode(request_sha256, 'hex'), body FROM idempotent_answer"
            + " WHERE account_id = ? AND key = ? AND expires_at > now()";

    /** All requests that take a key respond with 201. */
    private static final String KEEP = """
            INSERT INTO idempotent_answer (account_id, key, request_sha256, status, body, expires_at)
            VALUES (?, ?, decode(?, 'hex'), 201, ?, now() + ? * interval '1 second')
            ON CONFLICT (account_id, key) DO UPDATE SET request_sha256 = excluded.request_sha256,
                status = excluded.status, body = excluded.body, created_at = excluded.created_at,
                expires_at = excluded.expires_at""";

    private final Database database;
    private final long retentionSeconds;

    IdempotencyStore(Database database, Idempotency.Config config) {
        this.database = database;
        this.retentionSeconds = ValidSetting.between(
                        "oneshot.idempotency.retention", config.retention(), RETENTION_MIN, RETENTION_MAX)
                .toSeconds();
    }

    /**
     * Returns the kept response, or runs the effect and keeps its response.
     *
     * @throws ApiException 409 while an earlier request with this key is running, 422 if that was another request
     */
    @Transactional
    String once(IdempotencyKey key, Supplier<String> effect) {
        boolean locked = tryLock(key);
        // Only a statement after the lock sees what its last holder committed. Without the lock too: its holder may
        // only be reading a kept response.
        Optional<String> kept = find(key);
        if (kept.isPresent()) {
            return kept.get();
        }
        if (!locked) {
            throw new ApiException(ApiError.conflict(
                    "a request with this " + IdempotencyKey.HEADER + " is still running", CONFLICT_RETRY_AFTER));
        }
        String response = effect.get();
        database.update(KEEP, key.accountId(), key.text(), key.requestSha256(), response, retentionSeconds);
        return response;
    }

    /** Locks the key until the end of the transaction; false if another request has locked it. */
    boolean tryLock(IdempotencyKey key) {
        return database.row(TRY_LOCK, row -> row.getBoolean(1), key.lock()).orElseThrow();
    }

    private Optional<String> find(IdempotencyKey key) {
        return database.row(
                FIND,
                row -> {
                    if (!key.requestSha256().equals(row.getString(1))) {
                        throw ApiException.unprocessable(
                                IdempotencyKey.HEADER + " was used for another request: use a new one");
                    }
                    return row.getString(2);
                },
                key.accountId(),
                key.text());
    }
}
