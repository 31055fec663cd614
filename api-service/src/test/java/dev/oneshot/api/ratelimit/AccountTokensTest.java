package dev.oneshot.api.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.ratelimit.AccountTokens.Verdict;
import dev.oneshot.api.ratelimit.TokenBuckets.Grant;
import dev.oneshot.api.ratelimit.TokenBuckets.Lease;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** One replica and one account; the test controls when the bucket responds. */
class AccountTokensTest {

    private static final Rate RATE = new Rate(10, 20);
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final Deque<Runnable> executor = new ArrayDeque<>();
    private final List<Asked> asked = new ArrayList<>();
    private final Deque<Grant> grants = new ArrayDeque<>();
    private final AccountTokens tokens = new AccountTokens(
            UUID.randomUUID(), this::bucket, new AccountTokens.Settings(LEASE, 10, PAUSE, executor::add, nanos::get));

    private record Asked(int wanted, int spare, Lease ended) {}

    @Test
    void spareTokensAreSpentWithoutAskingAgain() {
        grants.add(new Grant(1, 2, 7, 17, 0));
        CompletableFuture<Verdict> first = tokens.take(RATE);
        runAll();

        CompletableFuture<Verdict> second = tokens.take(RATE);
        CompletableFuture<Verdict> third = tokens.take(RATE);

        assertThat(List.of(first.join(), second.join(), third.join()))
                .containsExactly(new Verdict.Admitted(19), new Verdict.Admitted(18), new Verdict.Admitted(17));
        assertThat(asked).containsExactly(new Asked(1, 2, Lease.NONE));
    }

    @Test
    void requestsThatComeTogetherAskOnce() {
        grants.add(new Grant(3, 0, 7, 1, 0));

        List<CompletableFuture<Verdict>> verdicts = List.of(tokens.take(RATE), tokens.take(RATE), tokens.take(RATE));
        runAll();

        assertThat(verdicts).allSatisfy(verdict -> assertThat(verdict.join()).isInstanceOf(Verdict.Admitted.class));
        assertThat(asked).extracting(Asked::wanted).containsExactly(3);
    }

    @Test
    void requestThatComesWhileAskingIsAskedForNext() {
        grants.add(new Grant(1, 0, 7, 1, 0));
        grants.add(new Grant(1, 0, 7, 0, 0));
        List<CompletableFuture<Verdict>> late = new ArrayList<>();
        CompletableFuture<Verdict> first = tokens.take(RATE);
        whileAsking = () -> late.add(tokens.take(RATE));
        runAll();

        assertThat(first).isCompleted();
        assertThat(late.getFirst()).isCompletedWithValueMatching(Verdict.Admitted.class::isInstance);
        assertThat(asked).extracting(Asked::wanted).containsExactly(1, 1);
    }

    @Test
    void emptyBucketIsAskedAgainOnlyWhenThereCanBeAToken() {
        grants.add(new Grant(0, 0, 7, 0, Duration.ofMillis(80).toNanos()));
        grants.add(new Grant(1, 0, 7, 0, 0));
        CompletableFuture<Verdict> first = tokens.take(RATE);
        runAll();

        nanos.addAndGet(Duration.ofMillis(79).toNanos());
        CompletableFuture<Verdict> second = tokens.take(RATE);
        nanos.addAndGet(Duration.ofMillis(1).toNanos());
        CompletableFuture<Verdict> third = tokens.take(RATE);
        runAll();

        assertThat(first.join()).isEqualTo(new Verdict.Refused(Duration.ofMillis(80)));
        assertThat(second.join()).isEqualTo(new Verdict.Refused(Duration.ofMillis(1)));
        assertThat(third.join()).isInstanceOf(Verdict.Admitted.class);
        assertThat(asked).hasSize(2);
    }

    @Test
    void bucketThatWasEmptiedIsLeftAloneOnceTheLeaseIsSpent() {
        grants.add(new Grant(1, 1, 7, 0, 0));
        var _ = tokens.take(RATE);
        runAll();

        CompletableFuture<Verdict> leased = tokens.take(RATE);
        CompletableFuture<Verdict> refused = tokens.take(RATE);

        assertThat(leased.join()).isInstanceOf(Verdict.Admitted.class);
        assertThat(refused.join()).isEqualTo(new Verdict.Refused(Duration.ofMillis(100)));
    }

    @Test
    void emptyBucketIsLeftAloneForThePauseEvenIfTheNextTokenIsNear() {
        grants.add(new Grant(0, 0, 7, 0, Duration.ofMillis(2).toNanos()));

        CompletableFuture<Verdict> verdict = tokens.take(new Rate(500, 1000));
        runAll();

        assertThat(verdict.join()).isEqualTo(new Verdict.Refused(PAUSE));
    }

    @Test
    void pauseIsCutWhenTheWholeBurstComesBackSooner() {
        grants.add(new Grant(0, 0, 7, 0, 0));

        CompletableFuture<Verdict> verdict = tokens.take(new Rate(100, 4));
        runAll();

        assertThat(verdict.join()).isEqualTo(new Verdict.Refused(Duration.ofMillis(10)));
    }

    @Test
    void leaseIsGoodUntilTheLastNanosecondOfItsTimeAndIsThenGivenBack() {
        grants.add(new Grant(1, 2, 7, 17, 0));
        grants.add(new Grant(1, 0, 8, 19, 0));
        var _ = tokens.take(RATE);
        runAll();

        nanos.addAndGet(LEASE.toNanos() - 1);
        CompletableFuture<Verdict> last = tokens.take(RATE);
        nanos.incrementAndGet();
        var _ = tokens.take(RATE);
        runAll();

        assertThat(last).isCompletedWithValueMatching(Verdict.Admitted.class::isInstance);

        assertThat(asked.getLast().ended()).satisfies(ended -> {
            assertThat(ended.generation()).isEqualTo(7);
            assertThat(ended.size()).isEqualTo(2);
            assertThat(ended.unspent()).isEqualTo(1);
        });
    }

    @Test
    void noMoreThanTheBurstWaitsForAnAnswer() {
        for (int i = 0; i < RATE.burst(); i++) {
            assertThat(tokens.take(RATE)).isNotDone();
        }

        assertThat(tokens.take(RATE)).isCompletedWithValueMatching(Verdict.Refused.class::isInstance);
    }

    private Runnable whileAsking = () -> {};

    private Grant bucket(UUID accountId, Rate rate, int wanted, int spare, Lease ended) {
        asked.add(new Asked(wanted, spare, ended));
        Runnable meanwhile = whileAsking;
        whileAsking = () -> {};
        meanwhile.run();
        if (grants.isEmpty()) {
            throw new IllegalStateException("the buckets are away");
        }
        return grants.remove();
    }

    private void runAll() {
        while (!executor.isEmpty()) {
            executor.remove().run();
        }
    }
}
