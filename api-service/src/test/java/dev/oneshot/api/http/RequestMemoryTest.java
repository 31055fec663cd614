package dev.oneshot.api.http;

import static dev.oneshot.api.http.RequestMemory.Outcome.ALL_TAKEN;
import static dev.oneshot.api.http.RequestMemory.Outcome.GRANTED;
import static dev.oneshot.api.http.RequestMemory.Outcome.SHARE_TAKEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oneshot.api.error.ApiException;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RequestMemoryTest {

    private static final Duration AT_ONCE = Duration.ZERO;
    private static final Duration LONG = Duration.ofMinutes(1);

    private final UUID greedy = UUID.randomUUID();
    private final UUID other = UUID.randomUUID();
    private final UUID third = UUID.randomUUID();

    @Test
    void anAccountHasHalfAndNotAnOctetMore() {
        RequestMemory memory = new RequestMemory(100, AT_ONCE);

        assertThat(memory.acquire(greedy, 20)).isEqualTo(GRANTED);
        assertThat(memory.acquire(greedy, 31)).isEqualTo(SHARE_TAKEN);
        assertThat(memory.acquire(greedy, 30)).isEqualTo(GRANTED);
        assertThat(memory.acquire(greedy, 1)).isEqualTo(SHARE_TAKEN);
        assertThat(memory.acquire(other, 50)).isEqualTo(GRANTED);
        assertThat(memory.reservedBytes()).isEqualTo(100);
        assertThat(memory.acquire(third, 1)).isEqualTo(ALL_TAKEN);
    }

    @Test
    void oneRequestOfAnAccountMayHaveMoreThanHalf() {
        RequestMemory memory = new RequestMemory(100, AT_ONCE);

        assertThat(memory.acquire(greedy, 100)).isEqualTo(GRANTED);
        assertThat(memory.acquire(greedy, 1)).isEqualTo(SHARE_TAKEN);
        memory.release(greedy, 100);
        assertThat(memory.reservedBytes()).isZero();
        assertThat(memory.acquire(greedy, 50)).isEqualTo(GRANTED);
    }

    @Test
    void whoWaitsForItsOwnIsOvertakenByOthers() throws Exception {
        RequestMemory memory = new RequestMemory(100, LONG);
        memory.acquire(greedy, 50);

        try (Waiting waiting = new Waiting(memory)) {
            CompletableFuture<RequestMemory.Outcome> own = waiting.acquire(greedy, 40);
            assertThat(memory.acquire(other, 50)).isEqualTo(GRANTED);
            assertThat(own).isNotDone();

            memory.release(greedy, 50);

            assertThat(own.get()).isEqualTo(GRANTED);
            assertThat(memory.reservedBytes()).isEqualTo(90);
        }
    }

    @Test
    void whoWaitsForRoomIsNotOvertakenByWhatWouldFit() throws Exception {
        RequestMemory memory = new RequestMemory(100, LONG);
        memory.acquire(greedy, 50);

        try (Waiting waiting = new Waiting(memory)) {
            CompletableFuture<RequestMemory.Outcome> large = waiting.acquire(other, 60);
            CompletableFuture<RequestMemory.Outcome> small = waiting.acquire(third, 50);
            assertThat(small).isNotDone();

            memory.release(greedy, 50);

            assertThat(large.get()).isEqualTo(GRANTED);
            assertThat(small).isNotDone();
            memory.release(other, 60);
            assertThat(small.get()).isEqualTo(GRANTED);
        }
    }

    @Test
    void whoGivesUpHoldsNobodyUp() throws Exception {
        RequestMemory memory = new RequestMemory(100, LONG);
        memory.acquire(greedy, 50);

        try (Waiting waiting = new Waiting(memory)) {
            CompletableFuture<RequestMemory.Outcome> large = waiting.acquire(other, 60);
            CompletableFuture<RequestMemory.Outcome> small = waiting.acquire(third, 50);

            waiting.interruptFirst();

            assertThat(large.get()).isEqualTo(ALL_TAKEN);
            assertThat(small.get()).isEqualTo(GRANTED);
        }
    }

    @Test
    void oneThatMayGrowHoldsHalfUntilItDoes() {
        RequestMemory memory = new RequestMemory(100, AT_ONCE);

        assertThat(memory.acquireHalf(greedy)).isEqualTo(GRANTED);

        assertThat(memory.reservedBytes()).isEqualTo(50);
        assertThat(memory.acquire(other, 50)).isEqualTo(GRANTED);
        assertThat(memory.acquireRest(greedy, 1)).isEqualTo(ALL_TAKEN);
        memory.release(other, 50);
        assertThat(memory.acquireRest(greedy, 50)).isEqualTo(GRANTED);
        assertThat(memory.reservedBytes()).isEqualTo(100);
    }

    @Test
    void onlyOneAtATimeMayGrow() {
        RequestMemory memory = new RequestMemory(100, AT_ONCE);
        memory.acquireHalf(greedy);

        assertThat(memory.acquireHalf(greedy)).isEqualTo(SHARE_TAKEN);
        assertThat(memory.acquireHalf(other)).isEqualTo(ALL_TAKEN);

        memory.releaseGrowing(greedy, 50);
        assertThat(memory.acquireHalf(other)).isEqualTo(GRANTED);
    }

    @Test
    void whoWaitsToBeTheOneThatMayGrowIsOvertakenByOthers() throws Exception {
        RequestMemory memory = new RequestMemory(100, LONG);
        memory.acquireHalf(greedy);

        try (Waiting waiting = new Waiting(memory)) {
            CompletableFuture<RequestMemory.Outcome> large = waiting.on(() -> memory.acquireHalf(other));
            assertThat(memory.acquire(third, 50)).isEqualTo(GRANTED);

            memory.releaseGrowing(greedy, 50);

            assertThat(large.get()).isEqualTo(GRANTED);
            assertThat(memory.reservedBytes()).isEqualTo(100);
        }
    }

    @Test
    void whoGrowsIsServedBeforeThoseWhoCameEarlier() throws Exception {
        RequestMemory memory = new RequestMemory(100, LONG);
        memory.acquireHalf(greedy);
        memory.acquire(other, 50);

        try (Waiting waiting = new Waiting(memory)) {
            CompletableFuture<RequestMemory.Outcome> earlier = waiting.acquire(third, 10);
            CompletableFuture<RequestMemory.Outcome> rest = waiting.on(() -> memory.acquireRest(greedy, 50));

            memory.release(other, 50);

            assertThat(rest.get()).isEqualTo(GRANTED);
            assertThat(earlier).isNotDone();
            memory.release(greedy, 50);
            assertThat(earlier.get()).isEqualTo(GRANTED);
        }
    }

    @Test
    void aClientThatGoesWhileItsRequestWaitsHoldsNobodyUp() throws Exception {
        RequestMemory memory = new RequestMemory(100, LONG);
        memory.acquire(greedy, 50);
        Request leaving = new Request(other);

        try (Waiting waiting = new Waiting(memory)) {
            CompletableFuture<RequestMemory.Outcome> large = waiting.on(() -> {
                memory.reserve(leaving.context, 60);
                return GRANTED;
            });
            CompletableFuture<RequestMemory.Outcome> small = waiting.acquire(third, 50);
            assertThat(small).isNotDone();

            leaving.end();

            await().untilAsserted(() -> assertThat(small).isCompletedWithValue(GRANTED));
            assertThatThrownBy(large::get).hasCauseInstanceOf(ApiException.class);
            assertThat(memory.waiting()).isZero();
            assertThat(memory.reservedBytes()).isEqualTo(100);
        }
    }

    @Test
    void aRequestThatHasEndedBeforeItWaitsIsNotWaitedFor() {
        RequestMemory memory = new RequestMemory(100, LONG);
        memory.acquire(other, 100);
        Request gone = new Request(greedy);
        gone.end();

        assertThatThrownBy(() -> memory.reserve(gone.context, 1)).isInstanceOf(ApiException.class);
        assertThat(memory.waiting()).isZero();
        assertThat(memory.reservedBytes()).isEqualTo(100);
    }

    /** A request let in by a key, of which only the owner and the end matter here. */
    private static final class Request {

        private final Map<Object, Object> data = new ConcurrentHashMap<>();
        private final List<Handler<AsyncResult<Void>>> atEnd = new ArrayList<>();
        private final RoutingContext context = (RoutingContext) Proxy.newProxyInstance(
                Request.class.getClassLoader(),
                new Class<?>[] {RoutingContext.class},
                (proxy, method, arguments) -> call(method.getName(), arguments));

        Request(UUID account) {
            RequestEnd.watch(context);
            RequestOwner.put(context, account);
        }

        @SuppressWarnings("unchecked")
        private @Nullable Object call(String method, Object[] arguments) {
            return switch (method) {
                case "get" -> data.get(arguments[0]);
                case "put" -> {
                    data.put(arguments[0], arguments[1]);
                    yield context;
                }
                case "addEndHandler" -> {
                    atEnd.add((Handler<AsyncResult<Void>>) arguments[0]);
                    yield atEnd.size();
                }
                default -> throw new AssertionError("not a method that matters here: " + method);
            };
        }

        void end() {
            atEnd.forEach(handler -> handler.handle(Future.succeededFuture()));
        }
    }

    /** Threads of which each is known to wait before the next one comes. */
    private static final class Waiting implements AutoCloseable {

        private final RequestMemory memory;
        private final ExecutorService threads = Executors.newCachedThreadPool();
        private volatile @Nullable Thread first;
        private int begun;

        Waiting(RequestMemory memory) {
            this.memory = memory;
        }

        CompletableFuture<RequestMemory.Outcome> acquire(UUID account, long bytes) {
            return on(() -> memory.acquire(account, bytes));
        }

        CompletableFuture<RequestMemory.Outcome> on(Supplier<RequestMemory.Outcome> action) {
            begun++;
            CompletableFuture<RequestMemory.Outcome> outcome = CompletableFuture.supplyAsync(
                    () -> {
                        if (first == null) {
                            first = Thread.currentThread();
                        }
                        return action.get();
                    },
                    threads);
            await().until(() -> memory.waiting() == begun);
            return outcome;
        }

        void interruptFirst() {
            Objects.requireNonNull(first).interrupt();
        }

        @Override
        public void close() {
            threads.shutdownNow();
        }
    }
}
