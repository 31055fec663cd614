package dev.oneshot.api.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.api.database.FreshDatabase;
import dev.oneshot.api.error.ApiException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several replicas with one key on one database. */
class IdempotencyTest {

    private static final String ONE = "11".repeat(32);
    private static final String OTHER = "22".repeat(32);

    private static final FreshDatabase DATABASE = FreshDatabase.create();

    private final Idempotency store = idempotency(Duration.ofHours(24));
    private final UUID account = UUID.randomUUID();
    private final AtomicInteger effects = new AtomicInteger();

    @BeforeAll
    static void migrate() {
        DATABASE.execute("CREATE TABLE effect (account_id uuid NOT NULL)");
    }

    @Test
    void othersGetAConflictWhileTheFirstIsInProgress() {
        CompletableFuture<Boolean> begun = new CompletableFuture<>();
        CompletableFuture<Boolean> proceed = new CompletableFuture<>();
        CompletableFuture<String> first = CompletableFuture.supplyAsync(
                () -> once(named("key", ONE), () -> {
                    begun.complete(true);
                    proceed.join();
                    return effect();
                }),
                Thread::startVirtualThread);
        begun.join();

        assertThatThrownBy(() -> send("key", ONE)).isInstanceOfSatisfying(ApiException.class, refused -> {
            assertThat(refused.kind().status()).isEqualTo(409);
            assertThat(refused.headers()).containsEntry("Retry-After", "1");
        });
        proceed.complete(true);

        String response = first.join();
        assertThat(send("key", ONE)).isEqualTo(response);
        assertThat(committed()).isEqualTo(1);
    }

    @Test
    void storedResponseIsReturnedAlsoWhileAnotherRequestHoldsTheLock() {
        String first = send("key", ONE);

        DATABASE.transaction(() -> {
            assertThat(store.tryLock(named("key", ONE))).isTrue();

            assertThat(CompletableFuture.supplyAsync(() -> send("key", ONE), Thread::startVirtualThread))
                    .succeedsWithin(Duration.ofMinutes(1))
                    .isEqualTo(first);
            assertThatThrownBy(() -> CompletableFuture.supplyAsync(() -> send("key", OTHER), Thread::startVirtualThread)
                            .join())
                    .cause()
                    .isInstanceOfSatisfying(
                            ApiException.class,
                            refused -> assertThat(refused.kind().status()).isEqualTo(422));
            return first;
        });
        assertThat(committed()).isEqualTo(1);
    }

    @Test
    void connectionThatDiesInBetweenLeavesNothingBehindAndTheKeyIsUsable() {
        assertThatThrownBy(() -> once(named("key", ONE), () -> {
                    String response = effect();
                    long backend = DATABASE.number("SELECT pg_backend_pid()");
                    CompletableFuture.runAsync(
                                    () -> DATABASE.number("SELECT pg_terminate_backend(?::int)::int", backend),
                                    Thread::startVirtualThread)
                            .join();
                    return response;
                }))
                .isInstanceOf(RuntimeException.class);
        assertThat(committed()).isZero();

        assertThat(send("key", ONE)).isEqualTo(response(effects.get()));
        assertThat(committed()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"23 hours 59 minutes, 1", "24 hours, 2"})
    void afterTheRetentionTheKeyIsAsGoodAsNew(String age, int requests) {
        send("key", ONE);
        DATABASE.execute(
                "UPDATE kept_response SET expires_at = expires_at - ?::interval WHERE account_id = ?", age, account);

        send("key", ONE);
        send("key", ONE);

        assertThat(committed()).isEqualTo(requests);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.999S", "P7DT1S"})
    void retentionOutOfRangeStopsTheStart(String retention) {
        assertThatThrownBy(() -> idempotency(Duration.parse(retention)))
                .hasMessageContaining("oneshot.idempotency.retention");
    }

    private static Idempotency idempotency(Duration retention) {
        return new Idempotency(DATABASE.database(), () -> retention);
    }

    private String send(String key, String digest) {
        return once(named(key, digest));
    }

    private String once(Idempotency.Key key) {
        return once(key, this::effect);
    }

    private String once(Idempotency.Key key, Supplier<String> effect) {
        return DATABASE.transaction(() -> store.once(key, effect));
    }

    private Idempotency.Key named(String key, String digest) {
        return new Idempotency.Key(account, key, digest);
    }

    private String effect() {
        DATABASE.execute("INSERT INTO effect VALUES (?)", account);
        return response(effects.incrementAndGet());
    }

    private static String response(int effect) {
        return "{\"effect\":" + effect + "}";
    }

    private long committed() {
        return DATABASE.number("SELECT count(*) FROM effect WHERE account_id = ?", account);
    }
}
