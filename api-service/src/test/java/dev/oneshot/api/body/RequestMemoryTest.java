package dev.oneshot.api.body;

import static dev.oneshot.api.error.ApiException.Kind.RATE_LIMITED;
import static dev.oneshot.api.error.ApiException.Kind.UNAVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oneshot.api.error.ApiException;
import io.vertx.core.http.HttpClosedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class RequestMemoryTest {

    private static final Duration AT_ONCE = Duration.ZERO;
    private static final Duration LONG = Duration.ofMinutes(1);

    /** References the requests until they end, as the server does. */
    private final List<Request> running = new ArrayList<>();

    private final UUID greedy = UUID.randomUUID();
    private final UUID other = UUID.randomUUID();
    private final UUID third = UUID.randomUUID();

    /** Its requests wait for long. */
    private final RequestMemory memory = new RequestMemory(80, LONG);

    @AutoClose
    private final Waiting waiting = new Waiting();

    /** With one waiting account there is no one to share with. */
    @Test
    void anAccountAloneMayHaveAllAndNotAByteMore() {
        RequestMemory impatient = new RequestMemory(80, AT_ONCE);

        reserve(impatient, request(greedy), 60);
        reserve(impatient, request(greedy), 20);
        assertThat(impatient.reservedBytes()).isEqualTo(80);

        assertRejected(RATE_LIMITED, () -> reserve(impatient, request(greedy), 1));
        assertRejected(UNAVAILABLE, () -> reserve(impatient, request(other), 1));
    }

    @Test
    void requestMayHaveAllOfTheMemoryIfItIsTheAccountsOnlyOne() {
        RequestMemory impatient = new RequestMemory(80, AT_ONCE);
        Request large = new Request(greedy);

        reserve(impatient, large, 1_000);
        assertThat(impatient.reservedBytes()).isEqualTo(80);
        large.end();
        assertThat(impatient.reservedBytes()).isZero();
    }

    /** Eight accounts hold their eighths, and want more. */
    @Test
    void whileOthersWaitNoAccountGetsMoreThanAnEighth() throws Exception {
        Request all = new Request(third);
        reserve(all, 80);
        List<UUID> accounts = Stream.generate(UUID::randomUUID).limit(8).toList();
        List<CompletableFuture<Void>> first = new ArrayList<>();
        List<CompletableFuture<Void>> second = new ArrayList<>();
        for (UUID account : accounts) {
            first.add(waiting.on(() -> reserve(request(account), 10)));
            second.add(waiting.on(() -> reserve(request(account), 1)));
        }

        all.end();

        for (CompletableFuture<Void> one : first) {
            one.get();
        }
        assertThat(second).noneMatch(CompletableFuture::isDone);
        assertThat(memory.reservedBytes()).isEqualTo(80);
    }

    @Test
    void theAccountThatHoldsLeastIsNext() throws Exception {
        Request first = new Request(third);
        reserve(request(greedy), 5);
        reserve(first, 75);
        CompletableFuture<Void> second = waiting.on(() -> reserve(request(greedy), 5));
        CompletableFuture<Void> large = waiting.on(() -> reserve(request(other), 75));
        assertThat(second).isNotDone();

        first.end();

        large.get();
        assertThat(second).isNotDone();
    }

    @Test
    void requestsThatWaitForMemoryAreNotOvertakenBySmallerOnes() throws Exception {
        Request first = new Request(greedy);
        Request second = new Request(other);
        reserve(first, 50);

        CompletableFuture<Void> large = waiting.on(() -> reserve(second, 60));
        CompletableFuture<Void> small = waiting.on(() -> reserve(request(third), 30));
        assertThat(small).isNotDone();

        first.end();

        large.get();
        assertThat(small).isNotDone();
        second.end();
        small.get();
    }

    @Test
    void slowRequestsAreEndedWhileOthersWaitAndNoMoreThanNeeded() throws Exception {
        Request quick = new Request(greedy);
        Request slow = new Request(greedy);
        Request slowToo = new Request(third);
        slow.isSlow.set(true);
        slowToo.isSlow.set(true);
        reserve(quick, 40);
        reserve(slow, 20);
        reserve(slowToo, 20);

        waiting.begin(() -> reserve(request(other), 20)).get();

        assertThat(slow.isEndedForOthers).isTrue();
        assertThat(slowToo.isEndedForOthers).isFalse();
        assertThat(quick.isEndedForOthers).isFalse();
    }

    /** Its smaller request may not overtake, so what is free is not for it. */
    @Test
    void slowRequestsMakeRoomForAnAccountThatAloneWantsMoreThanItsShare() throws Exception {
        Request slow = new Request(other);
        reserve(slow, 70);
        reserve(request(greedy), 7);

        CompletableFuture<Void> first = waiting.on(() -> reserve(request(greedy), 5));
        CompletableFuture<Void> second = waiting.on(() -> reserve(request(greedy), 2));
        slow.isSlow.set(true);
        first.get();
        second.get();

        assertThat(slow.isEndedForOthers).isTrue();
    }

    /** If only the next counted, many slow requests would end one by one. */
    @Test
    void slowRequestsMakeRoomAtOnceForAllThatWait() throws Exception {
        Request slow = new Request(greedy);
        Request slowToo = new Request(third);
        AtomicBoolean isFirstAlone = new AtomicBoolean();
        slowToo.isSlow = slow.isSlow;
        slowToo.found = () -> isFirstAlone.set(slow.isEndedForOthers);
        reserve(slow, 40);
        reserve(slowToo, 40);

        CompletableFuture<Void> first = waiting.on(() -> reserve(request(other), 40));
        CompletableFuture<Void> second = waiting.on(() -> reserve(request(UUID.randomUUID()), 40));
        slow.isSlow.set(true);
        first.get();
        second.get();

        assertThat(slowToo.isEndedForOthers).isTrue();
        assertThat(isFirstAlone).isFalse();
    }

    @Test
    void requestsOfAnAccountThatWasSlowComeAfterThoseOfOthers() throws Exception {
        Request slow = new Request(greedy);
        Request second = new Request(other);
        slow.isSlow.set(true);
        reserve(slow, 80);
        reserve(second, 80);
        assertThat(slow.isEndedForOthers).isTrue();

        CompletableFuture<Void> again = waiting.on(() -> reserve(request(greedy), 80));
        CompletableFuture<Void> late = waiting.on(() -> reserve(request(third), 80));

        second.end();

        late.get();
        assertThat(again).isNotDone();
    }

    /** The wait for slow requests is about a second, however many there are. */
    @Test
    void theMoreWaitsTheLessTimeSlowClientsHave() throws Exception {
        Request slow = new Request(greedy);
        reserve(slow, 80);

        for (int i = 1; i <= 6; i++) {
            var _ = waiting.on(() -> reserve(request(UUID.randomUUID()), 80));
            Duration patience = Duration.ofSeconds(1).dividedBy(Math.min(i, 4));
            await().until(() -> slow.patienceNanos == patience.toNanos());
        }
    }

    /** An account with many waiting requests takes from others no more than its share. */
    @Test
    void requestsBeyondTheShareOfOneAccountTakeNoTimeFromOthers() throws Exception {
        Request slow = new Request(greedy);
        reserve(slow, 80);

        for (int i = 0; i < 20; i++) {
            var _ = waiting.on(() -> reserve(request(other), 10));
        }
        var _ = waiting.on(() -> reserve(request(third), 80));
        await().until(() -> slow.patienceNanos == Duration.ofMillis(500).toNanos());
    }

    @Test
    void requestThatIsSlowIsNotEndedWithoutNeed() {
        RequestMemory impatient = new RequestMemory(80, AT_ONCE);
        Request slow = new Request(greedy);
        slow.isSlow.set(true);
        reserve(impatient, slow, 40);

        reserve(impatient, request(other), 40);

        assertThat(slow.isEndedForOthers).isFalse();
    }

    /** It loses its newest request. An account within its share loses none. */
    @Test
    void accountAboveItsShareLosesWhatIsAboveItWhileOthersWait() throws Exception {
        Request fair = new Request(third);
        Request first = new Request(greedy);
        Request second = new Request(greedy);
        reserve(first, 40);
        reserve(second, 30);
        reserve(fair, 10);

        waiting.begin(() -> reserve(request(other), 10)).get();

        assertThat(second.isEndedForOthers).isTrue();
        assertThat(first.isEndedForOthers).isFalse();
        assertThat(fair.isEndedForOthers).isFalse();
    }

    @Test
    void clientsThatDisconnectStopWaiting() throws Exception {
        reserve(request(greedy), 40);
        Request leaving = new Request(other);

        CompletableFuture<Void> large = waiting.on(() -> reserve(leaving, 60));
        CompletableFuture<Void> small = waiting.on(() -> reserve(request(third), 40));
        assertThat(small).isNotDone();

        leaving.end();

        small.get();
        assertThatThrownBy(large::get).hasCauseInstanceOf(HttpClosedException.class);
        assertThat(memory.reservedBytes()).isEqualTo(80);
    }

    @Test
    void requestsThatHaveEndedDoNotWait() {
        reserve(request(other), 80);
        Request gone = new Request(greedy);
        gone.end();

        assertThatThrownBy(() -> reserve(gone, 1)).isInstanceOf(HttpClosedException.class);
        assertThat(memory.reservedBytes()).isEqualTo(80);
    }

    private void reserve(Request request, long bytes) {
        reserve(memory, request, bytes);
    }

    private static void reserve(RequestMemory memory, Request request, long bytes) {
        memory.reserve(request.open.context(), bytes, request);
    }

    private Request request(UUID account) {
        Request request = new Request(account);
        running.add(request);
        return request;
    }

    private static void assertRejected(ApiException.Kind kind, ThrowingCallable reservation) {
        assertThatThrownBy(reservation)
                .isInstanceOfSatisfying(
                        ApiException.class,
                        rejected -> assertThat(rejected.kind()).isEqualTo(kind));
    }

    /** A request that its client may delay. */
    private static final class Request implements RequestMemory.Use {

        private AtomicBoolean isSlow = new AtomicBoolean();
        /** Runs when the request is found to be slow. */
        private Runnable found = () -> {};

        private volatile boolean isEndedForOthers;
        private volatile long patienceNanos;
        private final OpenRequest open;

        Request(UUID account) {
            this.open = new OpenRequest(account);
        }

        @Override
        public boolean isSlow(long patience) {
            patienceNanos = patience;
            if (isSlow.get()) {
                found.run();
            }
            return isSlow.get();
        }

        @Override
        public void endForOthers() {
            isEndedForOthers = true;
            end();
        }

        void end() {
            open.end();
        }
    }

    /** Threads that wait one after the other. */
    private static final class Waiting implements AutoCloseable {

        private final List<Thread> threads = new ArrayList<>();

        CompletableFuture<Void> on(Runnable action) {
            CompletableFuture<Void> done = begin(action);
            Thread thread = threads.getLast();
            await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
            return done;
        }

        CompletableFuture<Void> begin(Runnable action) {
            CompletableFuture<Void> done = new CompletableFuture<>();
            Thread thread = Thread.ofPlatform()
                    .start(() -> done.completeAsync(
                            () -> {
                                action.run();
                                return null;
                            },
                            Runnable::run));
            threads.add(thread);
            return done;
        }

        @Override
        public void close() {
            threads.forEach(Thread::interrupt);
        }
    }
}
