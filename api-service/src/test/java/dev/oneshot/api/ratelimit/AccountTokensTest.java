package dev.oneshot.api.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.api.ratelimit.AccountTokens.Verdict;
import dev.oneshot.api.ratelimit.TokenBuckets.Grant;
import dev.oneshot.api.ratelimit.TokenBuckets.Lease;
import dev.oneshot.api.ratelimit.TokenBuckets.Rate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One replica and one account; the test controls what the bucket responds, and the time. */
class AccountTokensTest {

    private static final Rate RATE = new Rate(10, 20);
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final Rate OF_TWO = new Rate(10, 2);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private final Deque<Grant> grants = new ArrayDeque<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AccountTokens tokens = new AccountTokens(this::bucket, nanos::get);
    private CountDownLatch response = new CountDownLatch(0);

    private record Asked(int spare, Lease ended) {}

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @Test
    void spareTokensAreSpentWithoutAskingAgain() {
        grants.add(new Grant(1, 2, 7, 17, 0));

        assertThat(tokens.takeLeased(RATE)).isEmpty();
        assertThat(tokens.take(RATE)).isEqualTo(new Verdict.Admitted(19));
        assertThat(tokens.takeLeased(RATE)).contains(new Verdict.Admitted(18));
        assertThat(tokens.takeLeased(RATE)).contains(new Verdict.Admitted(17));
        assertThat(tokens.takeLeased(RATE)).isEmpty();
        assertThat(asked).containsExactly(new Asked(2, Lease.NONE));
    }

    @Test
    void requestsThatWaitSpendTheSpareTokensOfTheFirst() {
        grants.add(new Grant(1, 2, 7, 17, 0));
        response = new CountDownLatch(1);
        List<CompletableFuture<Verdict>> verdicts = List.of(take(), take(), take());

        response.countDown();

        assertThat(verdicts)
                .allSatisfy(
                        verdict -> assertThat(verdict).succeedsWithin(PATIENCE).isInstanceOf(Verdict.Admitted.class));
        assertThat(asked).hasSize(1);
    }

    @Test
    void requestsThatWaitFailWithTheFirst() {
        response = new CountDownLatch(1);
        List<CompletableFuture<Verdict>> verdicts = List.of(take(), take(), take());
        awaitThree();
        nanos.incrementAndGet();

        response.countDown();

        assertThat(verdicts).allSatisfy(verdict -> assertThat(verdict).failsWithin(PATIENCE));
        assertThat(asked).hasSize(1);
    }

    @Test
    void nextRequestAfterAFailureAsksAgain() {
        assertThatThrownBy(() -> tokens.take(RATE)).hasMessage("the buckets are away");
        grants.add(new Grant(1, 0, 7, 19, 0));

        assertThat(tokens.take(RATE)).isInstanceOf(Verdict.Admitted.class);
    }

    @Test
    void emptyBucketIsAskedAgainOnlyWhenThereCanBeAToken() {
        grants.add(new Grant(0, 0, 7, 0, Duration.ofMillis(80).toNanos()));
        grants.add(new Grant(1, 0, 7, 0, 0));

        assertThat(tokens.take(RATE)).isEqualTo(new Verdict.Refused(Duration.ofMillis(80)));
        nanos.addAndGet(Duration.ofMillis(79).toNanos());
        assertThat(tokens.takeLeased(RATE)).contains(new Verdict.Refused(Duration.ofMillis(1)));
        nanos.addAndGet(Duration.ofMillis(1).toNanos());
        assertThat(tokens.takeLeased(RATE)).isEmpty();
        assertThat(tokens.take(RATE)).isInstanceOf(Verdict.Admitted.class);
    }

    @Test
    void bucketThatWasEmptiedIsLeftAloneOnceTheLeaseIsSpent() {
        grants.add(new Grant(1, 1, 7, 0, 0));
        var _ = tokens.take(RATE);

        assertThat(tokens.takeLeased(RATE).orElseThrow()).isInstanceOf(Verdict.Admitted.class);
        assertThat(tokens.takeLeased(RATE)).contains(new Verdict.Refused(Duration.ofMillis(100)));
    }

    @Test
    void emptyBucketIsLeftAloneForThePauseEvenIfTheNextTokenIsNear() {
        grants.add(new Grant(0, 0, 7, 0, Duration.ofMillis(2).toNanos()));

        assertThat(tokens.take(new Rate(500, 1000))).isEqualTo(new Verdict.Refused(PAUSE));
    }

    @Test
    void pauseIsCutWhenTheWholeBurstComesBackSooner() {
        grants.add(new Grant(0, 0, 7, 0, 0));

        assertThat(tokens.take(new Rate(100, 4))).isEqualTo(new Verdict.Refused(Duration.ofMillis(10)));
    }

    @Test
    void leaseIsGoodUntilTheLastNanosecondOfItsTimeAndIsThenGivenBack() {
        grants.add(new Grant(1, 2, 7, 17, 0));
        grants.add(new Grant(1, 0, 8, 19, 0));
        var _ = tokens.take(RATE);

        nanos.addAndGet(TokenBuckets.LEASE_TIME.toNanos() - 1);
        assertThat(tokens.takeLeased(RATE).orElseThrow()).isInstanceOf(Verdict.Admitted.class);
        nanos.incrementAndGet();
        assertThat(tokens.takeLeased(RATE)).isEmpty();
        var _ = tokens.take(RATE);

        assertThat(asked.getLast().ended()).satisfies(ended -> {
            assertThat(ended.generation()).isEqualTo(7);
            assertThat(ended.size()).isEqualTo(2);
            assertThat(ended.unspent()).isEqualTo(1);
        });
    }

    @Test
    void noMoreThanTheBurstWaitsForTheBucket() {
        response = new CountDownLatch(1);
        List<CompletableFuture<Verdict>> waiting = List.of(take(), take(), take());

        awaitThree();

        assertThat(tokens.takeLeased(OF_TWO)).contains(new Verdict.Refused(Duration.ofMillis(100)));
        assertThat(tokens.takeLeased(RATE)).isEmpty();
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
    }

    /** One asks and two wait. */
    private void awaitThree() {
        Awaitility.await().until(() -> tokens.takeLeased(OF_TWO).isPresent());
    }

    private CompletableFuture<Verdict> take() {
        return CompletableFuture.supplyAsync(() -> tokens.take(RATE), threads);
    }

    private Grant bucket(Rate rate, int spare, Lease ended) {
        asked.add(new Asked(spare, ended));
        try {
            response.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (grants.isEmpty()) {
            throw new IllegalStateException("the buckets are away");
        }
        return grants.remove();
    }
}
