package dev.oneshot.api.idempotency;

import dev.oneshot.api.body.BodyDigest;
import dev.oneshot.api.database.Database;
import dev.oneshot.api.error.ApiException;
import dev.oneshot.api.error.ApiException.Kind;
import dev.oneshot.api.request.RequestPath;
import dev.oneshot.api.request.RequestState;
import dev.oneshot.contracts.setting.ValidSetting;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.vertx.core.json.Json;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Gives repetitions of a request the first response, on all replicas. Without an {@code Idempotency-Key} every request has its effect.
 *
 * <p>The lock on the key, the look-up of a kept response, the effect and its response are one transaction: if the process dies,
 * nothing has happened and the key is free. A rejection is not kept, as the next try may succeed.
 */
@ApplicationScoped
public class Idempotency {

    public static final String HEADER = "Idempotency-Key";

    private static final Duration RETENTION_MIN = Duration.ofSeconds(1);
    private static final Duration RETENTION_MAX = Duration.ofDays(7);

    /** Most effects end sooner. */
    private static final Duration CONFLICT_RETRY_AFTER = Duration.ofSeconds(1);

    private static final String TRY_LOCK = "SELECT pg_try_advisory_xact_lock(?)";
    private static final String FIND = "SELECT encode(request_sha256, 'hex'), body FROM kept_response"
            + " WHERE account_id = ? AND key = ? AND expires_at > now()";

    private static final String KEEP = """
            INSERT INTO kept_response (account_id, key, request_sha256, body, expires_at)
            VALUES (?, ?, decode(?, 'hex'), ?, now() + ? * interval '1 second')
            ON CONFLICT (account_id, key) DO UPDATE SET request_sha256 = excluded.request_sha256,
                body = excluded.body, created_at = excluded.created_at, expires_at = excluded.expires_at""";

    private final Database database;
    private final long retentionSeconds;

    /** How long responses to requests with an {@code Idempotency-Key} are kept. */
    @ConfigMapping(prefix = "oneshot.idempotency")
    public interface Config {

        /**
         * After this time a key is new again: PT1S to P7D. A client that retries later has its effect twice; a longer time fills
         * the database.
         */
        @WithDefault("PT24H")
        Duration retention();
    }

    /**
     * A client's name for a request.
     *
     * @param accountId the account, as keys of two accounts are different
     * @param text 1 to {@value #LENGTH_MAX} visible ASCII characters
     * @param requestSha256 SHA-256 of method, path and body in hexadecimal; equal values mean the same request
     */
    public record Key(UUID accountId, String text, String requestSha256) {

        static final int LENGTH_MAX = 255;
        private static final Pattern TEXT = Pattern.compile("[!-~]{1," + LENGTH_MAX + "}");

        /**
         * Reads the header field, once the body has been read; empty if there is none.
         *
         * @throws ApiException 400 if it is given more than once or malformed
         */
        public static Optional<Key> of(UUID accountId, RoutingContext request) {
            List<String> fields = request.request().headers().getAll(HEADER);
            if (fields.isEmpty()) {
                return Optional.empty();
            }
            String text = fields.getFirst();
            if (fields.size() != 1 || !TEXT.matcher(text).matches()) {
                throw ApiException.invalid(HEADER + " must be given once and have between 1 and " + LENGTH_MAX
                        + " visible ASCII characters");
            }
            return Optional.of(new Key(accountId, text, digest(request)));
        }

        /** The key of its advisory lock in PostgreSQL. */
        long lock() {
            MessageDigest sha256 = BodyDigest.sha256();
            sha256.update(accountId.toString().getBytes(StandardCharsets.US_ASCII));
            return ByteBuffer.wrap(sha256.digest(text.getBytes(StandardCharsets.US_ASCII)))
                    .getLong();
        }

        private static String digest(RoutingContext request) {
            MessageDigest sha256 = BodyDigest.sha256();
            String line = request.request().method().name() + ' ' + RequestPath.of(request.request()) + '\n';
            sha256.update(line.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of()
                    .formatHex(sha256.digest(RequestState.of(request).bodySha256()));
        }
    }

    Idempotency(Database database, Config config) {
        this.database = database;
        this.retentionSeconds = ValidSetting.between(
                        "oneshot.idempotency.retention", config.retention(), RETENTION_MIN, RETENTION_MAX)
                .toSeconds();
    }

    /** The error for a key that was used for another request. */
    public static ApiException otherRequest() {
        return ApiException.unprocessable(HEADER + " was used for another request: use a new one");
    }

    /**
     * Returns the kept result of this request's effect, or runs the effect. Call it after validation (400), and before
     * checks that may end differently the next time (422, 402).
     *
     * @param key of this request; empty if it has none
     * @param type what is kept, as JSON: the part of the response that the request does not contain. So nothing that the client
     *     sent outlives its address.
     * @param effect a statement or a transaction; with a key, a part of the transaction that keeps its response
     * @throws ApiException 409 while an earlier request with this key is running, 422 if that was
     *     another request
     */
    public <T> T once(Optional<Key> key, Class<T> type, Supplier<T> effect) {
        if (key.isEmpty()) {
            return effect.get();
        }
        // Reads the first response from JSON as well, so that it equals later ones.
        return Json.decodeValue(once(key.get(), () -> Json.encode(effect.get())), type);
    }

    @Transactional
    String once(Key key, Supplier<String> effect) {
        boolean locked = tryLock(key);
        // Looks after the lock, as only a later statement sees what the lock's last holder committed. Looks without the
        // lock too, as its holder may only be reading a kept response.
        Optional<String> kept = find(key);
        if (kept.isPresent()) {
            return kept.get();
        }
        if (!locked) {
            throw ApiException.of(
                    Kind.CONFLICT, "a request with this " + HEADER + " is still running", CONFLICT_RETRY_AFTER);
        }
        String response = effect.get();
        database.update(KEEP, key.accountId(), key.text(), key.requestSha256(), response, retentionSeconds);
        return response;
    }

    /** Locks the key until the end of the transaction; false if another request has locked it. */
    boolean tryLock(Key key) {
        return database.row(TRY_LOCK, row -> row.getBoolean(1), key.lock()).orElseThrow();
    }

    private Optional<String> find(Key key) {
        return database.row(
                FIND,
                row -> {
                    if (!key.requestSha256().equals(row.getString(1))) {
                        throw otherRequest();
                    }
                    return row.getString(2);
                },
                key.accountId(),
                key.text());
    }
}
