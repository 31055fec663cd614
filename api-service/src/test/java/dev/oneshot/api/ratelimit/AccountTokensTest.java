package dev.oneshot.api.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.ratelimit.AccountTokens.Grant;
import dev.oneshot.api.ratelimit.AccountTokens.Lease;
import dev.oneshot.api.ratelimit.AccountTokens.Rate;
import dev.oneshot.api.ratelimit.AccountTokens.Verdict;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** One replica and one account; the test controls what the bucket responds, when it does so, and the time. */
class AccountTokensTest {

    private static final Rate RATE = new Rate(10, 20);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final List<Asked> asked = new ArrayList<>();
    private final Deque<Grant> grants = new ArrayDeque<>();
    private final Deque<Runnable> asking = new ArrayDeque<>();
    private final AccountTokens tokens = new AccountTokens(this::bucket, asking::add, nanos::get);

    private record Asked(int spare, Lease ended) {}

    @Test
    void spareTokensAreSpentWithoutAskingAgain() {
        grants.add(new Grant(1, 2, 7, 17, 0));
        assertThat(spend(RATE)).isCompletedWithValue(new Verdict.Admitted(19));
        assertThat(spend(RATE)).isCompletedWithValue(new Verdict.Admitted(18));
        assertThat(spend(RATE)).isCompletedWithValue(new Verdict.Admitted(17));
        assertThat(asked).containsExactly(new Asked(2, Lease.NONE));
        grants.add(new Grant(1, 0, 7, 16, 0));
        assertAdmitted(spend(RATE));
        assertThat(asked).hasSize(2);
    }

    @Test
    void requestsThatWaitSpendTheSpareTokensOfTheFirst() {
        grants.add(new Grant(1, 2, 7, 17, 0));
        List<CompletableFuture<Verdict>> verdicts = List.of(tokens.spend(RATE), tokens.spend(RATE), tokens.spend(RATE));
        respond();
        assertThat(verdicts).allSatisfy(AccountTokensTest::assertAdmitted);
        assertThat(asked).hasSize(1);
    }

    @Test
    void requestsThatWaitFailWithTheFirstAndTheNextAsksAgain() {
        List<CompletableFuture<Verdict>> verdicts = List.of(tokens.spend(RATE), tokens.spend(RATE), tokens.spend(RATE));
        respond();
        assertThat(verdicts).allSatisfy(verdict -> assertThat(verdict).isCompletedExceptionally());
        assertThat(asked).hasSize(1);
        grants.add(new Grant(1, 0, 7, 19, 0));
        assertAdmitted(spend(RATE));
    }

    @Test
    void emptyBucketIsAskedAgainOnlyWhenThereCanBeAToken() {
        grants.add(new Grant(0, 0, 7, 0, Duration.ofMillis(80).toNanos()));
        grants.add(new Grant(1, 0, 7, 0, 0));
        assertRefused(spend(RATE), Duration.ofMillis(80));
        nanos.addAndGet(Duration.ofMillis(79).toNanos());
        assertRefused(spend(RATE), Duration.ofMillis(1));
        nanos.addAndGet(Duration.ofMillis(1).toNanos());
        assertAdmitted(spend(RATE));
    }

    @Test
    void bucketThatWasEmptiedIsLeftAloneOnceTheLeaseIsSpent() {
        grants.add(new Grant(1, 1, 7, 0, 0));
        assertAdmitted(spend(RATE));
        assertAdmitted(spend(RATE));
        assertRefused(spend(RATE), Duration.ofMillis(100));
    }

    @Test
    void emptyBucketIsLeftAloneForThePauseEvenIfTheNextTokenIsNear() {
        grants.add(new Grant(0, 0, 7, 0, Duration.ofMillis(2).toNanos()));
        assertRefused(spend(new Rate(500, 1000)), PAUSE);
    }

    @Test
    void pauseIsCutWhenTheWholeBurstComesBackSooner() {
        grants.add(new Grant(0, 0, 7, 0, 0));
        assertRefused(spend(new Rate(100, 4)), Duration.ofMillis(10));
    }

    @Test
    void leaseIsGoodUntilTheLastNanosecondOfItsTimeAndIsThenGivenBack() {
        grants.add(new Grant(1, 2, 7, 17, 0));
        grants.add(new Grant(1, 0, 8, 19, 0));
        var _ = spend(RATE);
        nanos.addAndGet(AccountTokens.LEASE_TIME.toNanos() - 1);
        assertAdmitted(spend(RATE));
        assertThat(asked).hasSize(1);
        nanos.incrementAndGet();
        assertAdmitted(spend(RATE));
        assertThat(asked.getLast().ended()).satisfies(ended -> {
            assertThat(ended.generation()).isEqualTo(7);
            assertThat(ended.size()).isEqualTo(2);
            assertThat(ended.unspent()).isEqualTo(1);
        });
    }

    @Test
    void noMoreThanTheBurstWaitsForTheBucket() {
        Rate ofTwo = new Rate(10, 2);
        List<CompletableFuture<Verdict>> waiting =
                List.of(tokens.spend(ofTwo), tokens.spend(ofTwo), tokens.spend(ofTwo));
        assertRefused(tokens.spend(ofTwo), Duration.ofMillis(100));
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
    }

    private static void assertAdmitted(CompletableFuture<Verdict> verdict) {
        assertThat(verdict).isCompletedWithValueMatching(Verdict.Admitted.class::isInstance);
    }

    private static void assertRefused(CompletableFuture<Verdict> verdict, Duration retryAfter) {
        assertThat(verdict).isCompletedWithValue(new Verdict.Refused(retryAfter));
    }

    private CompletableFuture<Verdict> spend(Rate rate) {
        CompletableFuture<Verdict> verdict = tokens.spend(rate);
        respond();
        return verdict;
    }

    /** Lets the bucket respond to all requests. */
    private void respond() {
        while (!asking.isEmpty()) {
            asking.remove().run();
        }
    }

    private Grant bucket(Rate rate, int spare, Lease ended) {
        asked.add(new Asked(spare, ended));
        if (grants.isEmpty()) {
            throw new IllegalStateException("the buckets are away");
        }
        return grants.remove();
    }
}
