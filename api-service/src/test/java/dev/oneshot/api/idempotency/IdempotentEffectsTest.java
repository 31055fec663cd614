package dev.oneshot.api.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.api.database.FreshDatabase;
import dev.oneshot.api.error.ApiException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What several replicas do with one key, on the database that they share. */
class IdempotentEffectsTest {

    private static final String ONE = "11".repeat(32);
    private static final String OTHER = "22".repeat(32);

    private static FreshDatabase database;

    private record Config(Duration retention) implements IdempotencyConfig {}

    private final IdempotentAnswers answers = new IdempotentAnswers(new Config(Duration.ofHours(24)));
    private final UUID account = UUID.randomUUID();
    private final AtomicInteger effects = new AtomicInteger();

    @BeforeAll
    static void migrate() {
        database = FreshDatabase.create();
        database.execute("CREATE TABLE effect (account_id uuid NOT NULL)");
    }

    @Test
    void secondRequestGetsTheFirstAnswer() {
        Answer first = send("key", ONE);
        Answer second = send("key", ONE);

        assertThat(second).isEqualTo(first);
        assertThat(committed()).isEqualTo(1);
    }

    @Test
    void otherRequestUnderTheSameKeyIsUnprocessable() {
        send("key", ONE);

        assertThatThrownBy(() -> send("key", OTHER))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refused -> assertThat(refused.error().status()).isEqualTo(422));
        assertThat(committed()).isEqualTo(1);
    }

    @Test
    void otherKeysAndOtherAccountsAreOfTheirOwn() {
        send("key", ONE);
        send("other", ONE);
        once(new IdempotentRequest(UUID.randomUUID(), new IdempotencyKey("key"), ONE));

        assertThat(effects).hasValue(3);
    }

    @Test
    void whileTheFirstIsUnderWayOthersAreToldOfTheConflict() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Answer> first = threads.submit(() -> requests().once(named("key", ONE), connection -> {
                begun.countDown();
                await(goOn);
                return effect(connection);
            }));
            begun.await();

            assertThatThrownBy(() -> send("key", ONE)).isInstanceOfSatisfying(ApiException.class, refused -> {
                assertThat(refused.error().status()).isEqualTo(409);
                assertThat(refused.error().headers()).containsEntry("Retry-After", "1");
            });
            goOn.countDown();

            Answer answer = first.get();
            assertThat(send("key", ONE)).isEqualTo(answer);
        }
        assertThat(committed()).isEqualTo(1);
    }

    @Test
    void keptAnswerIsGivenAlsoWhileSomebodyElseHoldsTheName() {
        Answer first = send("key", ONE);

        database.database().transaction(holder -> {
            assertThat(answers.tryLock(holder, named("key", ONE))).isTrue();

            assertThat(send("key", ONE)).isEqualTo(first);
            assertThatThrownBy(() -> send("key", OTHER))
                    .isInstanceOfSatisfying(
                            ApiException.class,
                            refused -> assertThat(refused.error().status()).isEqualTo(422));
            return first;
        });
        assertThat(committed()).isEqualTo(1);
    }

    @Test
    void connectionThatDiesInBetweenLeavesNothingBehindAndTheKeyIsUsable() {
        assertThatThrownBy(() -> requests().once(named("key", ONE), connection -> {
                    Answer answer = effect(connection);
                    long backend = backendOf(connection);
                    CompletableFuture.runAsync(
                                    () -> database.number("SELECT pg_terminate_backend(?::int)::int", backend))
                            .join();
                    return answer;
                }))
                .isInstanceOf(RuntimeException.class);
        assertThat(committed()).isZero();

        assertThat(send("key", ONE).status()).isEqualTo(201);
        assertThat(committed()).isEqualTo(1);
    }

    @Test
    void refusalIsNotKept() {
        assertThatThrownBy(() -> requests().once(named("key", ONE), connection -> {
                    effect(connection);
                    throw ApiException.unprocessable("not now");
                }))
                .hasMessage("not now");
        assertThat(committed()).isZero();

        assertThat(send("key", ONE).status()).isEqualTo(201);
    }

    @Test
    void afterTheRetentionTheKeyIsAsGoodAsNew() {
        send("key", ONE);
        age("24 hours");

        send("key", OTHER);

        assertThat(committed()).isEqualTo(2);
        assertThat(send("key", OTHER)).isNotNull();
        assertThat(committed()).isEqualTo(2);
    }

    @Test
    void shortlyBeforeTheRetentionEndsTheAnswerIsStillThere() {
        send("key", ONE);
        age("23 hours 59 minutes");

        send("key", ONE);

        assertThat(committed()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.999S", "P7DT1S"})
    void retentionOutOfRangeStopsTheStart(String retention) {
        assertThatThrownBy(() -> new IdempotentAnswers(new Config(Duration.parse(retention))))
                .hasMessageContaining("oneshot.idempotency.retention");
    }

    private Answer send(String key, String digest) {
        return once(named(key, digest));
    }

    private Answer once(IdempotentRequest request) {
        return requests().once(request, this::effect);
    }

    private IdempotentRequest named(String key, String digest) {
        return new IdempotentRequest(account, new IdempotencyKey(key), digest);
    }

    /** Another one each time, as on another replica. */
    private IdempotentEffects requests() {
        return new IdempotentEffects(database.database(), answers);
    }

    private Answer effect(Connection connection) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effect VALUES (?)")) {
            insert.setObject(1, account);
            insert.executeUpdate();
        }
        return new Answer(201, "{\"effect\":" + effects.incrementAndGet() + "}");
    }

    private static long backendOf(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT pg_backend_pid()");
                ResultSet result = select.executeQuery()) {
            result.next();
            return result.getLong(1);
        }
    }

    private long committed() {
        return database.number("SELECT count(*) FROM effect WHERE account_id = ?", account);
    }

    private void age(String interval) {
        database.execute(
                "UPDATE idempotent_answer SET expires_at = expires_at - ?::interval WHERE account_id = ?",
                interval,
                account);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
