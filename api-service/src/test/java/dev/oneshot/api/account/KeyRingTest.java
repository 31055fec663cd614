package dev.oneshot.api.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.api.database.FreshDatabase;
import dev.oneshot.contracts.address.SizeClass;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two replicas, each with its own memory of keys, on one database. Time is the test's. */
class KeyRingTest {

    private static final Plan PLAN = new Plan("free", 100, 3600, SizeClass.ofMessageBytesMax(1 << 21), 10, 20);
    private static final Config CONFIG =
            new Config(Duration.ofMillis(800), Duration.ofMillis(250), Duration.ofMinutes(10), 1_000);

    private record Config(Duration time, Duration changesEvery, Duration forget, int entries)
            implements KeyCacheConfig {}

    private final FreshDatabase database = FreshDatabase.create();
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 100);
    private final Replica here = new Replica();
    private final Replica there = new Replica();
    private final ApiKey key = SampleKeys.signed();
    private AccountStore.Row account;

    private final class Replica {
        private final AccountChanges changes = new AccountChanges(database.database(), CONFIG, nanos::incrementAndGet);
        private final AccountStore accounts = new AccountStore(database.database(), changes);
        private final KeyRing keys = new KeyRing(
                accounts, changes, CONFIG, Executors.newVirtualThreadPerTaskExecutor(), nanos::incrementAndGet);

        boolean knows(ApiKey asked) {
            return keys.find(asked).join().isPresent();
        }
    }

    KeyRingTest() {
        account = here.accounts.create("test", PLAN, null, key.sha256());
    }

    @BeforeEach
    void bothKnowTheKey() {
        here.changes.read();
        there.changes.read();
        assertThat(here.knows(key)).isTrue();
        assertThat(there.knows(key)).isTrue();
    }

    @Test
    void knownKeyIsBelievedWithoutTheDatabaseWhileAllChangesAreKnown() {
        for (int i = 0; i < 30; i++) {
            pass(Duration.ofSeconds(10));
            there.changes.read();
        }

        assertThat(there.keys.isKnown(key)).isTrue();
    }

    @Test
    void knownKeyIsLookedUpAgainOnceChangesAreNotKnown() {
        pass(Duration.ofMillis(799));
        assertThat(there.keys.isKnown(key)).isTrue();

        pass(Duration.ofMillis(1));
        assertThat(there.keys.isKnown(key)).isFalse();
    }

    @Test
    void replacedKeyIsRefusedAtOnceWhereItWasReplaced() {
        replace();

        assertThat(here.knows(key)).isFalse();
    }

    @Test
    void replacedKeyIsRefusedElsewhereOnceTheChangeIsRead() {
        replace();
        assertThat(there.knows(key)).isTrue();

        there.changes.read();

        assertThat(there.knows(key)).isFalse();
    }

    @Test
    void replacedKeyIsRefusedElsewhereWithinASecondAlsoIfChangesCannotBeRead() {
        replace();

        pass(Duration.ofMillis(800));

        assertThat(there.knows(key)).isFalse();
    }

    @Test
    void changeOfPlanIsSeenElsewhere() {
        Plan pro = new Plan("pro", 1, 3600, SizeClass.ofMessageBytesMax(1 << 21), 10, 20);
        here.accounts.change(account.account().id(), null, pro, null);

        there.changes.read();

        assertThat(there.keys.find(key).join().orElseThrow().plan()).isEqualTo("pro");
    }

    @Test
    void deletedAccountHasNoKey() {
        here.accounts.markDeleted(account.account().id());

        there.changes.read();

        assertThat(here.knows(key)).isFalse();
        assertThat(there.knows(key)).isFalse();
    }

    @Test
    void afterALongSilenceNothingIsBelievedThatWasRememberedBefore() {
        replace();
        database.execute("DELETE FROM account_change");
        pass(Duration.ofMinutes(2));

        there.changes.read();

        assertThat(there.knows(key)).isFalse();
    }

    @Test
    void unknownKeyWithoutASignatureIsNotBelievedForLongerThanASecond() {
        ApiKey unknown = SampleKeys.unsigned();
        assertThat(there.knows(unknown)).isFalse();
        assertThat(there.keys.isKnown(unknown)).isTrue();

        pass(Duration.ofMillis(800));
        there.changes.read();

        assertThat(there.keys.isKnown(unknown)).isFalse();
    }

    @Test
    void signedKeyThatNoAccountHasIsNotLookedUpAgain() {
        replace();
        there.changes.read();
        assertThat(there.knows(key)).isFalse();
        database.execute("ALTER TABLE account RENAME TO gone");

        pass(Duration.ofMinutes(9));

        assertThat(there.keys.isKnown(key)).isTrue();
        assertThat(there.knows(key)).isFalse();
    }

    @Test
    void failureOfTheDatabaseIsNotRemembered() {
        ApiKey other = SampleKeys.signed();
        database.execute("ALTER TABLE account RENAME TO gone");
        assertThatThrownBy(() -> there.knows(other)).isInstanceOf(CompletionException.class);
        database.execute("ALTER TABLE gone RENAME TO account");

        assertThat(there.knows(other)).isFalse();
    }

    @Test
    void failureIsForgottenBeforeAnybodyIsToldOfIt() {
        CountDownLatch asking = new CountDownLatch(1);
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            KeyRing keys = new KeyRing(here.accounts, here.changes, CONFIG, executor, nanos::incrementAndGet);
            database.execute("ALTER TABLE account RENAME TO gone");
            var _ = executor.submit(() -> asking.await(30, TimeUnit.SECONDS));
            AtomicLong failures = new AtomicLong();
            CompletableFuture<Optional<Account>> second = keys.find(key).exceptionallyCompose(failure -> {
                failures.incrementAndGet();
                database.execute("ALTER TABLE gone RENAME TO account");
                return keys.find(key);
            });

            asking.countDown();

            assertThat(second.join()).contains(account.account());
            assertThat(failures).hasValue(1);
        }
    }

    @Test
    void settingsThatWouldBreakThePromiseStopTheStart() {
        assertThatThrownBy(() -> new AccountChanges(
                        database.database(),
                        new Config(Duration.ofMillis(800), Duration.ofMillis(401), Duration.ofMinutes(1), 1),
                        new SimpleMeterRegistry()))
                .hasMessageContaining("oneshot.key-cache.changes-every");
        assertThatThrownBy(() -> new KeyRing(
                        here.accounts,
                        here.changes,
                        new Config(Duration.ofMillis(1001), Duration.ofMillis(250), Duration.ofMinutes(1), 1),
                        Executors.newVirtualThreadPerTaskExecutor()))
                .hasMessageContaining("oneshot.key-cache.time");
    }

    private void replace() {
        here.accounts.replaceKey(account.account().id(), SampleKeys.signed().sha256());
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
