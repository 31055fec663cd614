package dev.oneshot.api.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.database.FreshDatabase;
import dev.oneshot.api.ratelimit.TokenBuckets.Grant;
import dev.oneshot.api.ratelimit.TokenBuckets.Lease;
import dev.oneshot.api.ratelimit.TokenBuckets.Rate;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The function take_tokens. Rates of one request a second do not refill during a test. */
class TokenBucketsTest {

    private static FreshDatabase database;

    private final UUID account = UUID.randomUUID();
    private final Rate slow = new Rate(1, 20);

    @BeforeAll
    static void migrate() {
        database = FreshDatabase.create();
    }

    @Test
    void newAccountHasItsWholeBurstAndNoMore() {
        TokenBuckets buckets = buckets();

        Grant all = buckets.take(account, slow, 50, 5, Lease.NONE);
        Grant more = buckets.take(account, slow, 1, 0, Lease.NONE);

        assertThat(all.granted()).isEqualTo(20);
        assertThat(all.spare()).isZero();
        assertThat(more.granted()).isZero();
        assertThat(Duration.ofNanos(more.waitNanos())).isBetween(Duration.ofMillis(1), Duration.ofSeconds(1));
    }

    @Test
    void burstThatIsNoMultipleOfTheRateIsWhole() {
        assertThat(buckets().take(account, new Rate(3, 20), 21, 0, Lease.NONE).granted())
                .isEqualTo(20);
    }

    @Test
    void noMoreThanHalfOfTheBurstIsEverLeased() {
        TokenBuckets buckets = buckets();

        int leased = 0;
        for (int replica = 0; replica < 4; replica++) {
            leased += buckets.take(account, slow, 1, 4, Lease.NONE).spare();
        }

        assertThat(leased).isEqualTo(10);
    }

    @Test
    void unspentTokensComeBack() {
        TokenBuckets buckets = buckets();
        Grant grant = buckets.take(account, slow, 1, 4, Lease.NONE);

        Grant after = buckets.take(account, slow, 1, 0, new Lease(grant.generation(), 4, 3, 0));

        assertThat(after.level()).isEqualTo(15 + 3 - 1);
    }

    @Test
    void unspentTokensOfALeaseThatIsCountedNoMoreDoNotComeBack() {
        TokenBuckets buckets = buckets();
        Grant grant = buckets.take(account, slow, 1, 4, Lease.NONE);

        Grant after = buckets.take(account, slow, 1, 0, new Lease(grant.generation() - 2, 4, 3, 0));

        assertThat(after.level()).isEqualTo(15 - 1);
    }

    @Test
    void levelAndLeasesNeverExceedTheBurstTogether() {
        TokenBuckets buckets = buckets();
        Rate fast = new Rate(1000, 20);
        buckets.take(account, fast, 1, 10, Lease.NONE);

        // With ten tokens leased, the bucket fills up to the other ten.
        Awaitility.await()
                .pollInterval(Duration.ofMillis(30))
                .pollDelay(Duration.ofMillis(30))
                .until(() -> true);
        Grant grant = buckets.take(account, fast, 20, 0, Lease.NONE);

        assertThat(grant.granted()).isEqualTo(10);
    }

    @Test
    void leasesThatWereNeverGivenBackAreForgottenWithTheirGeneration() {
        TokenBuckets buckets = buckets();
        buckets.take(account, slow, 1, 10, Lease.NONE);
        database.execute(
                "UPDATE rate_bucket SET generation = generation - 2, empty_at = 0 WHERE account_id = ?", account);

        assertThat(buckets.take(account, slow, 20, 0, Lease.NONE).granted()).isEqualTo(20);
    }

    @Test
    void clockThatWasSetBackLeavesNoDebt() {
        TokenBuckets buckets = buckets();
        buckets.take(account, slow, 1, 0, Lease.NONE);
        database.execute(
                "UPDATE rate_bucket SET empty_at = empty_at + 3600000000, generation = generation + 360"
                        + " WHERE account_id = ?",
                account);

        Grant grant = buckets.take(account, new Rate(100, 20), 1, 0, Lease.NONE);

        assertThat(grant.granted()).isZero();
        assertThat(Duration.ofNanos(grant.waitNanos())).isLessThanOrEqualTo(Duration.ofMillis(10));
    }

    private static TokenBuckets buckets() {
        return new TokenBuckets(database.database(), ForkJoinPool.commonPool());
    }
}
