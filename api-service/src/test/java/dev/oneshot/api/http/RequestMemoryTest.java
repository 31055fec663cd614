package dev.oneshot.api.http;

import static dev.oneshot.api.error.ApiError.Kind.RATE_LIMITED;
import static dev.oneshot.api.error.ApiError.Kind.UNAVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oneshot.api.error.ApiError;
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
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RequestMemoryTest {

    private static final Duration AT_ONCE = Duration.ZERO;
    private static final Duration LONG = Duration.ofMinutes(1);

    /** As the server, which references its requests until they end. */
    private final List<Request> running = new ArrayList<>();

    private final UUID greedy = UUID.randomUUID();
    private final UUID other = UUID.randomUUID();
    private final UUID third = UUID.randomUUID();

    @Test
    void anAccountHasHalfAndNotAnOctetMore() {
        RequestMemory memory = new RequestMemory(100, AT_ONCE);

        memory.reserve(request(greedy), 20);
        assertRejected(RATE_LIMITED, () -> memory.reserve(request(greedy), 31));
        memory.reserve(request(greedy), 30);
        assertRejected(RATE_LIMITED, () -> memory.reserve(request(greedy), 1));
        memory.reserve(request(other), 50);
        assertThat(memory.reservedBytes()).isEqualTo(100);
        assertRejected(UNAVAILABLE, () -> memory.reserve(request(third), 1));
    }

    @Test
    void oneRequestOfAnAccountMayHaveMoreThanHalf() {
        RequestMemory memory = new RequestMemory(100, AT_ONCE);
        Request large = new Request(greedy);

        memory.reserve(large.context, 1_000);
        assertThat(memory.reservedBytes()).isEqualTo(100);
        assertRejected(RATE_LIMITED, () -> memory.reserve(request(greedy), 1));
        large.end();
        assertThat(memory.reservedBytes()).isZero();
        memory.reserve(request(greedy), 50);
    }

    @Test
    void requestsThatWaitForTheirAccountsShareAreOvertaken() throws Exception {
        RequestMemory memory = new RequestMemory(100, LONG);
        Request first = new Request(greedy);
        memory.reserve(first.context, 50);

        try (Waiting waiting = new Waiting(memory)) {
            CompletableFuture<Void> own = waiting.on(() -> memory.reserve(request(greedy), 40));
            memory.reserve(request(other), 50);
            assertThat(own).isNotDone();

            first.end();

            own.get();
            assertThat(memory.reservedBytes()).isEqualTo(90);
        }
    }

    @Test
    void requestsThatWaitForMemoryAreNotOvertakenBySmallerOnes() throws Exception {
        RequestMemory memory = new RequestMemory(100, LONG);
        Request first = new Request(greedy);
        Request second = new Request(other);
        memory.reserve(first.context, 50);

        try (Waiting waiting = new Waiting(memory)) {
            CompletableFuture<Void> large = waiting.on(() -> memory.reserve(second.context, 60));
            CompletableFuture<Void> small = waiting.on(() -> memory.reserve(request(third), 50));
            assertThat(small).isNotDone();

            first.end();

            large.get();
            assertThat(small).isNotDone();
            second.end();
            small.get();
        }
    }

    @Test
    void aGrowingRequestHoldsHalfUntilItGrows() {
        RequestMemory memory = new RequestMemory(100, AT_ONCE);
        Request growing = new Request(greedy);
        Request second = new Request(other);

        memory.reserveHalf(growing.context);

        assertThat(memory.reservedBytes()).isEqualTo(50);
        memory.reserve(second.context, 50);
        assertRejected(UNAVAILABLE, () -> memory.grow(growing.context, 1));
        second.end();
        memory.grow(growing.context, 50);
        assertThat(memory.reservedBytes()).isEqualTo(100);
        growing.end();
        assertThat(memory.reservedBytes()).isZero();
    }

    @Test
    void onlyOneRequestGrowsAtATime() {
        RequestMemory memory = new RequestMemory(100, AT_ONCE);
        Request growing = new Request(greedy);
        memory.reserveHalf(growing.context);

        Request early = new Request(other);
        assertRejected(RATE_LIMITED, () -> memory.reserveHalf(request(greedy)));
        assertRejected(UNAVAILABLE, () -> memory.reserveHalf(early.context));
        early.end();

        growing.end();
        memory.reserveHalf(request(other));
    }

    @Test
    void requestsThatWaitToGrowAreOvertaken() throws Exception {
        RequestMemory memory = new RequestMemory(100, LONG);
        Request growing = new Request(greedy);
        memory.reserveHalf(growing.context);

        try (Waiting waiting = new Waiting(memory)) {
            CompletableFuture<Void> next = waiting.on(() -> memory.reserveHalf(request(other)));
            memory.reserve(request(third), 50);

            growing.end();

            next.get();
            assertThat(memory.reservedBytes()).isEqualTo(100);
        }
    }

    @Test
    void clientsThatDisconnectStopWaiting() throws Exception {
        RequestMemory memory = new RequestMemory(100, LONG);
        memory.reserve(request(greedy), 50);
        Request leaving = new Request(other);

        try (Waiting waiting = new Waiting(memory)) {
            CompletableFuture<Void> large = waiting.on(() -> memory.reserve(leaving.context, 60));
            CompletableFuture<Void> small = waiting.on(() -> memory.reserve(request(third), 50));
            assertThat(small).isNotDone();

            leaving.end();

            small.get();
            assertThatThrownBy(large::get).hasCauseInstanceOf(ApiException.class);
            assertThat(memory.waiting()).isZero();
            assertThat(memory.reservedBytes()).isEqualTo(100);
        }
    }

    @Test
    void requestsThatHaveEndedDoNotWait() {
        RequestMemory memory = new RequestMemory(100, LONG);
        memory.reserve(request(other), 100);
        Request gone = new Request(greedy);
        gone.end();

        assertThatThrownBy(() -> memory.reserve(gone.context, 1)).isInstanceOf(ApiException.class);
        assertThat(memory.waiting()).isZero();
        assertThat(memory.reservedBytes()).isEqualTo(100);
    }

    private RoutingContext request(UUID account) {
        Request request = new Request(account);
        running.add(request);
        return request.context;
    }

    private static void assertRejected(ApiError.Kind kind, ThrowingCallable reservation) {
        assertThatThrownBy(reservation)
                .isInstanceOfSatisfying(
                        ApiException.class,
                        rejected -> assertThat(rejected.error().kind()).isEqualTo(kind));
    }

    /** An authenticated request that can end. */
    private static final class Request {

        private final Map<Object, Object> data = new ConcurrentHashMap<>();
        private final List<Handler<AsyncResult<Void>>> atEnd = new ArrayList<>();
        private final RoutingContext context = (RoutingContext) Proxy.newProxyInstance(
                Request.class.getClassLoader(),
                new Class<?>[] {RoutingContext.class},
                (proxy, method, arguments) -> call(method.getName(), arguments));

        Request(UUID account) {
            RequestEnd.watch(context);
            RequestMemory.setOwner(context, account);
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
                default -> throw new AssertionError("unexpected method " + method);
            };
        }

        void end() {
            atEnd.forEach(handler -> handler.handle(Future.succeededFuture()));
        }
    }

    /** Threads that wait one after the other. */
    private static final class Waiting implements AutoCloseable {

        private final RequestMemory memory;
        private final ExecutorService threads = Executors.newCachedThreadPool();
        private int begun;

        Waiting(RequestMemory memory) {
            this.memory = memory;
        }

        CompletableFuture<Void> on(Runnable action) {
            begun++;
            CompletableFuture<Void> done = CompletableFuture.runAsync(action, threads);
            await().until(() -> memory.waiting() == begun);
            return done;
        }

        @Override
        public void close() {
            threads.shutdownNow();
        }
    }
}
