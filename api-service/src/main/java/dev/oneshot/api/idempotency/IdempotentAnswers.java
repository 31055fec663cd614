package dev.oneshot.api.idempotency;

import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;

/** The kept answers. Those whose time is over are as if they were not there, until expiry-service deletes them. */
@ApplicationScoped
class IdempotentAnswers {

    private static final Duration RETENTION_MIN = Duration.ofSeconds(1);
    private static final Duration RETENTION_MAX = Duration.ofDays(7);

    private static final String TRY_LOCK = "SELECT pg_try_advisory_xact_lock(?)";
    private static final String FIND = "SELECT request_sha256, status, body FROM idempotent_answer"
            + " WHERE account_id = ? AND key = ? AND expires_at > now()";
    private static final String KEEP = """
            INSERT INTO idempotent_answer (account_id, key, request_sha256, status, body, expires_at)
            VALUES (?, ?, ?, ?, ?, now() + ? * interval '1 second')
            ON CONFLICT (account_id, key) DO UPDATE SET request_sha256 = excluded.request_sha256,
                status = excluded.status, body = excluded.body, created_at = excluded.created_at,
                expires_at = excluded.expires_at""";

    private final long retentionSeconds;

    IdempotentAnswers(IdempotencyConfig config) {
        Duration retention = config.retention();
        if (retention.compareTo(RETENTION_MIN) < 0 || retention.compareTo(RETENTION_MAX) > 0) {
            throw new IllegalArgumentException(
                    "oneshot.idempotency.retention must be from PT1S to P7D, not " + retention);
        }
        this.retentionSeconds = retention.toSeconds();
    }

    /** A kept answer, and to what. */
    record Kept(String digest, Answer answer) {}

    /** Keeps all others from this name until the end of the transaction; false if somebody else does already. */
    boolean tryLock(Connection connection, IdempotentRequest request) throws SQLException {
        try (PreparedStatement lock = connection.prepareStatement(TRY_LOCK)) {
            lock.setLong(1, request.lock());
            try (ResultSet result = lock.executeQuery()) {
                result.next();
                return result.getBoolean(1);
            }
        }
    }

    Optional<Kept> find(Connection connection, IdempotentRequest request) throws SQLException {
        try (PreparedStatement find = connection.prepareStatement(FIND)) {
            find.setObject(1, request.accountId());
            find.setString(2, request.key().text());
            try (ResultSet result = find.executeQuery()) {
                if (!result.next()) {
                    return Optional.empty();
                }
                return Optional.of(new Kept(
                        HexFormat.of().formatHex(result.getBytes("request_sha256")),
                        new Answer(result.getInt("status"), result.getString("body"))));
            }
        }
    }

    void keep(Connection connection, IdempotentRequest request, Answer answer) throws SQLException {
        try (PreparedStatement keep = connection.prepareStatement(KEEP)) {
            keep.setObject(1, request.accountId());
            keep.setString(2, request.key().text());
            keep.setBytes(3, HexFormat.of().parseHex(request.digest()));
            keep.setInt(4, answer.status());
            keep.setString(5, answer.body());
            keep.setLong(6, retentionSeconds);
            keep.executeUpdate();
        }
    }
}
