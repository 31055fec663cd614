package dev.oneshot.api.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestBean;
import dev.oneshot.api.database.Database;
import dev.oneshot.contracts.address.SizeClass;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The service of the test and another replica, with separate key caches on one database. The test controls the time of the other. */
@ServiceTest
class KeyRingTest {

    private static final Plan PLAN = new Plan("free", 100, 3600, SizeClass.ofMessageBytesMax(1 << 21), 10, 20);

    private final Database database = TestBean.of(Database.class);
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 100);
    private final AccountStore accounts = TestBean.of(AccountStore.class);
    private final KeyRing here = TestBean.of(KeyRing.class);
    private final KeyRing there = new KeyRing(
            accounts,
            TestBean.of(KeyRing.Config.class),
            Executors.newVirtualThreadPerTaskExecutor(),
            nanos::incrementAndGet);
    private final ApiKey key = SampleKeys.signed();
    private AccountEntity account;

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
        database.update("ALTER TABLE account RENAME TO gone");

        pass(Duration.ofMillis(799));
        assertThat(knows(there, key)).isTrue();

        pass(Duration.ofMillis(1));
        assertThat(there.find(key)).failsWithin(Duration.ofSeconds(30));
    }

    @Test
    void deletedAccountHasNoKey() {
        accounts.markDeleted(account.id);

        pass(Duration.ofMillis(800));

        assertThat(knows(here, key)).isFalse();
        assertThat(knows(there, key)).isFalse();
    }

    @Test
    void keyThatNoAccountHasIsNotLookedUpAgain() {
        replace();
        pass(Duration.ofMillis(800));
        assertThat(knows(there, key)).isFalse();
        database.update("ALTER TABLE account RENAME TO gone");

        pass(Duration.ofMinutes(9));

        assertThat(knows(there, key)).isFalse();
    }

    private void replace() {
        accounts.replaceKey(account.id, null, SampleKeys.signed().sha256(), Optional.empty());
    }

    private static boolean knows(KeyRing keys, ApiKey asked) {
        return keys.find(asked).join().isPresent();
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
