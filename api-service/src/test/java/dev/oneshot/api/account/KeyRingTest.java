package dev.oneshot.api.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.database.Database;
import dev.oneshot.contracts.address.SizeClass;
import io.quarkus.arc.Arc;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The service of the test and another replica, with separate key caches on one database. The test controls the time of the other. */
@ServiceTest
class KeyRingTest {

    private static final Plan PLAN = new Plan("free", 100, 3600, SizeClass.ofMessageBytesMax(1 << 21), 10, 20);
    private static final Config CONFIG = new Config(Duration.ofMillis(800), Duration.ofMinutes(10), 1_000);

    private record Config(Duration time, Duration forget, int entries) implements KeyRing.Config {}

    private final Database database = bean(Database.class);
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 100);
    private final AccountStore accounts = bean(AccountStore.class);
    private final KeyRing here = bean(KeyRing.class);
    private final KeyRing there =
            new KeyRing(accounts, CONFIG, Executors.newVirtualThreadPerTaskExecutor(), nanos::incrementAndGet);
    private final ApiKey key = SampleKeys.signed();
    private AccountStore.Row account;

    KeyRingTest() {
        account = accounts.create("test", PLAN, null, key.sha256());
    }

    @BeforeEach
    void bothKnowTheKey() {
        assertThat(knows(here, key)).isTrue();
        assertThat(knows(there, key)).isTrue();
    }

    /** All tests share the database. */
    @AfterEach
    void bringTheAccountsBack() {
        database.update("ALTER TABLE IF EXISTS gone RENAME TO account");
    }

    @Test
    void knownKeyIsLookedUpAgainWithinASecond() {
        pass(Duration.ofMillis(799));
        assertThat(there.isKnown(key)).isTrue();

        pass(Duration.ofMillis(1));
        assertThat(there.isKnown(key)).isFalse();
    }

    @Test
    void deletedAccountHasNoKey() {
        accounts.markDeleted(account.account().id());

        pass(Duration.ofMillis(800));

        assertThat(knows(here, key)).isFalse();
        assertThat(knows(there, key)).isFalse();
    }

    @Test
    void unknownKeyWithoutASignatureIsNotBelievedForLongerThanASecond() {
        ApiKey unknown = SampleKeys.unsigned();
        assertThat(knows(there, unknown)).isFalse();
        assertThat(there.isKnown(unknown)).isTrue();

        pass(Duration.ofMillis(800));

        assertThat(there.isKnown(unknown)).isFalse();
    }

    @Test
    void signedKeyThatNoAccountHasIsNotLookedUpAgain() {
        replace();
        pass(Duration.ofMillis(800));
        assertThat(knows(there, key)).isFalse();
        database.update("ALTER TABLE account RENAME TO gone");

        pass(Duration.ofMinutes(9));

        assertThat(there.isKnown(key)).isTrue();
        assertThat(knows(there, key)).isFalse();
    }

    @Test
    void failureIsForgottenBeforeAnybodyIsToldOfIt() {
        CountDownLatch asking = new CountDownLatch(1);
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            KeyRing keys = new KeyRing(accounts, CONFIG, executor, nanos::incrementAndGet);
            database.update("ALTER TABLE account RENAME TO gone");
            var _ = executor.submit(() -> asking.await(30, TimeUnit.SECONDS));
            AtomicLong failures = new AtomicLong();
            CompletableFuture<Optional<Account>> second = keys.find(key).exceptionallyCompose(failure -> {
                failures.incrementAndGet();
                database.update("ALTER TABLE gone RENAME TO account");
                return keys.find(key);
            });

            asking.countDown();

            assertThat(second.join()).contains(account.account());
            assertThat(failures).hasValue(1);
        }
    }

    @Test
    void aKeyCacheThatRemembersForLongerThanASecondStopsTheStart() {
        assertThatThrownBy(() -> new KeyRing(
                        accounts,
                        new Config(Duration.ofMillis(1001), Duration.ofMinutes(1), 1),
                        Executors.newVirtualThreadPerTaskExecutor(),
                        nanos::incrementAndGet))
                .hasMessageContaining("oneshot.key-cache.time");
    }

    private void replace() {
        accounts.replaceKey(account.account().id(), null, SampleKeys.signed().sha256());
    }

    private static boolean knows(KeyRing keys, ApiKey asked) {
        return keys.find(asked).join().isPresent();
    }

    private static <T> T bean(Class<T> type) {
        return Arc.container().instance(type).get();
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
