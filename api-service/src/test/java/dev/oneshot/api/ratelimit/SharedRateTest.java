package dev.oneshot.api.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.database.FreshDatabase;
import dev.oneshot.api.ratelimit.AccountTokens.Rate;
import dev.oneshot.api.ratelimit.AccountTokens.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several limiters on one database, as in several replicas. */
class SharedRateTest {

    private static final Duration LOAD = Duration.ofSeconds(4);

    private static FreshDatabase database;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @BeforeAll
    static void migrate() {
        database = FreshDatabase.create();
    }

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    /** The rate of the plan pro on three replicas, and more replicas than burst. */
    @ParameterizedTest
    @CsvSource({"50, 100, 3", "20, 2, 5"})
    void replicasUnderLoadAdmitTheRateTogether(int perSecond, int burst, int replicas) throws Exception {
        Rate rate = new Rate(perSecond, burst);
        List<TokenBuckets> limiters =
                IntStream.range(0, replicas).mapToObj(replica -> limiter()).toList();

        Admissions admissions = load(rate, limiters);

        double allowed = rate.burst() + rate.perSecond() * admissions.seconds();
        assertThat((double) admissions.count()).isLessThanOrEqualTo(allowed + 1);
        assertThat((double) admissions.count() - rate.burst())
                .isGreaterThanOrEqualTo(0.9 * rate.perSecond() * (LOAD.toSeconds() - admissions.overflowSeconds()));
    }

    /**
     * The result of a load.
     *
     * @param seconds its whole duration
     * @param overflowSeconds the time without any response, in which the bucket may have been full because this
     *     machine was too busy; tokens that overflow then are lost
     */
    private record Admissions(int count, double seconds, double overflowSeconds) {}

    private Admissions load(Rate rate, List<TokenBuckets> replicas) throws Exception {
        UUID account = UUID.randomUUID();
        AtomicInteger admitted = new AtomicInteger();
        Queue<Long> respondedAt = new ConcurrentLinkedQueue<>();
        // Connections and code are ready before the clock starts.
        replicas.forEach(replica -> replica.spend(UUID.randomUUID(), rate).join());
        long begin = System.nanoTime();
        List<Future<?>> clients = replicas.stream()
                .<Future<?>>map(replica -> threads.submit(() -> {
                    while (System.nanoTime() - begin < LOAD.toNanos()) {
                        Verdict verdict = replica.spend(account, rate).join();
                        respondedAt.add(System.nanoTime());
                        if (verdict instanceof Verdict.Admitted) {
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
        long end = System.nanoTime();
        return new Admissions(admitted.get(), (end - begin) / 1e9, overflowSeconds(rate, begin, respondedAt));
    }

    /** At most half of the burst is leased, so the bucket holds the other half before it overflows. */
    private static double overflowSeconds(Rate rate, long begin, Queue<Long> respondedAt) {
        double filling = rate.burst() / 2.0 / rate.perSecond();
        double overflow = 0;
        long last = begin;
        for (long responded : respondedAt) {
            if (responded - begin < LOAD.toNanos()) {
                overflow += Math.max(0, (responded - last) / 1e9 - filling);
                last = responded;
            }
        }
        // Tokens that came in later are still in the bucket.
        return overflow + (LOAD.toNanos() - (last - begin)) / 1e9;
    }

    private TokenBuckets limiter() {
        return new TokenBuckets(database.database(), threads);
    }
}
