package dev.oneshot.api.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.database.FreshDatabase;
import dev.oneshot.api.ratelimit.AccountTokens.Grant;
import dev.oneshot.api.ratelimit.AccountTokens.Lease;
import dev.oneshot.api.ratelimit.AccountTokens.Rate;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The function take_tokens. Rates of one request a second do not refill during a test. */
class TokenBucketsTest {

    private static final FreshDatabase DATABASE = FreshDatabase.create();

    private final UUID account = UUID.randomUUID();
    private final Rate slow = new Rate(1, 20);
    private final TokenBuckets buckets = new TokenBuckets(DATABASE.database(), ForkJoinPool.commonPool());

    @Test
    void newAccountHasItsWholeBurstAndNoMore() {
        Grant all = take(slow, 50, 5);
        Grant more = take(slow, 1, 0);

        assertThat(all.granted()).isEqualTo(20);
        assertThat(all.spare()).isZero();
        assertThat(more.granted()).isZero();
        assertThat(Duration.ofNanos(more.waitNanos())).isBetween(Duration.ofMillis(1), Duration.ofSeconds(1));
    }

    @Test
    void burstThatIsNoMultipleOfTheRateIsWhole() {
        assertThat(take(new Rate(3, 20), 21, 0).granted()).isEqualTo(20);
    }

    @Test
    void noMoreThanHalfOfTheBurstIsEverLeased() {
        int leased = 0;
        for (int replica = 0; replica < 4; replica++) {
            leased += take(slow, 1, 4).spare();
        }

        assertThat(leased).isEqualTo(10);
    }

    @Test
    void unspentTokensComeBack() {
        Grant grant = take(slow, 1, 4);

        Grant after = giveBack(new Lease(grant.generation(), 4, 3, 0));

        assertThat(after.level()).isEqualTo(15 + 3 - 1);
    }

    @Test
    void unspentTokensOfALeaseThatIsCountedNoMoreDoNotComeBack() {
        Grant grant = take(slow, 1, 4);

        Grant after = giveBack(new Lease(grant.generation() - 2, 4, 3, 0));

        assertThat(after.level()).isEqualTo(15 - 1);
    }

    @Test
    void levelAndLeasesNeverExceedTheBurstTogether() {
        Rate fast = new Rate(1000, 20);
        take(fast, 1, 10);

        // With ten tokens leased, the bucket fills up to the other ten.
        Awaitility.await()
                .pollInterval(Duration.ofMillis(30))
                .pollDelay(Duration.ofMillis(30))
                .until(() -> true);
        Grant grant = take(fast, 20, 0);

        assertThat(grant.granted()).isEqualTo(10);
    }

    @Test
    void leasesThatWereNeverGivenBackAreForgottenWithTheirGeneration() {
        take(slow, 1, 10);
        DATABASE.execute(
                "UPDATE rate_bucket SET generation = generation - 2, empty_at = 0 WHERE account_id = ?", account);

        assertThat(take(slow, 20, 0).granted()).isEqualTo(20);
    }

    @Test
    void clockThatWasSetBackLeavesNoDebt() {
        take(slow, 1, 0);
        DATABASE.execute(
                "UPDATE rate_bucket SET empty_at = empty_at + 3600000000, generation = generation + 360"
                        + " WHERE account_id = ?",
                account);

        Grant grant = take(new Rate(100, 20), 1, 0);

        assertThat(grant.granted()).isZero();
        assertThat(Duration.ofNanos(grant.waitNanos())).isLessThanOrEqualTo(Duration.ofMillis(10));
    }

    private Grant take(Rate rate, int asked, int spare) {
        return buckets.take(account, rate, asked, spare, Lease.NONE);
    }

    private Grant giveBack(Lease lease) {
        return buckets.take(account, slow, 1, 0, lease);
    }
}
