package dev.oneshot.api.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.database.FreshDatabase;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Several limiters, as several replicas have them, on one database. */
class RateLimiterTest {

    private static final Duration LOAD = Duration.ofSeconds(4);

    private static FreshDatabase database;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger roundTrips = new AtomicInteger();

    @BeforeAll
    static void migrate() {
        database = FreshDatabase.create();
    }

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @Test
    void threeReplicasUnderLoadAdmitThePlansRate() throws Exception {
        assertRateHolds(new Rate(100, 200), 3);
    }

    @Test
    void threeReplicasUnderLoadAdmitASmallRate() throws Exception {
        assertRateHolds(new Rate(10, 20), 3);
    }

    @Test
    void moreReplicasThanBurstStillAdmitTheRate() throws Exception {
        assertRateHolds(new Rate(20, 2), 5);
    }

    @Test
    void floodCostsFewRoundTrips() throws Exception {
        load(new Rate(500, 1000), List.of(limiter()));

        assertThat(roundTrips.get()).isLessThan((int) (LOAD.toMillis() / 50 * 3 / 2));
    }

    private void assertRateHolds(Rate rate, int replicas) throws Exception {
        List<RateLimiter> limiters =
                IntStream.range(0, replicas).mapToObj(replica -> limiter()).toList();

        Admissions admissions = load(rate, limiters);

        double allowed = rate.burst() + rate.perSecond() * admissions.seconds();
        assertThat((double) admissions.count()).isLessThanOrEqualTo(allowed + 1);
        assertThat((double) admissions.count() - rate.burst())
                .isGreaterThanOrEqualTo(0.9 * rate.perSecond() * LOAD.toSeconds());
    }

    private record Admissions(int count, double seconds) {}

    private Admissions load(Rate rate, List<RateLimiter> replicas) throws Exception {
        UUID account = UUID.randomUUID();
        AtomicInteger admitted = new AtomicInteger();
        // Connections and code are ready before the clock runs.
        replicas.forEach(replica -> replica.take(UUID.randomUUID(), rate).join());
        long begin = System.nanoTime();
        List<Future<?>> clients = replicas.stream()
                .<Future<?>>map(replica -> threads.submit(() -> {
                    while (System.nanoTime() - begin < LOAD.toNanos()) {
                        if (replica.take(account, rate).join() instanceof Verdict.Admitted) {
                            admitted.incrementAndGet();
                        } else {
                            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
                        }
                    }
                }))
                .toList();
        for (Future<?> client : clients) {
            client.get();
        }
        return new Admissions(admitted.get(), (System.nanoTime() - begin) / 1e9);
    }

    private RateLimiter limiter() {
        TokenBuckets buckets = new DatabaseTokenBuckets(database.database(), new TestRateLimits());
        return new RateLimiter(
                (account, rate, wanted, spare, ended) -> {
                    roundTrips.incrementAndGet();
                    return buckets.take(account, rate, wanted, spare, ended);
                },
                new TestRateLimits(),
                threads);
    }
}
