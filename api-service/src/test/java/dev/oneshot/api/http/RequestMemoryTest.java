package dev.oneshot.api.http;

import static dev.oneshot.api.error.ApiException.Kind.RATE_LIMITED;
import static dev.oneshot.api.error.ApiException.Kind.UNAVAILABLE;
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
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
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
    void anAccountHasHalfAndNotAByteMore() {
        RequestMemory memory = new RequestMemory(100, AT_ONCE);

        memory.reserve(request(greedy), 0, 20);
        assertRejected(RATE_LIMITED, () -> memory.reserve(request(greedy), 0, 31));
        memory.reserve(request(greedy), 0, 30);
        assertRejected(RATE_LIMITED, () -> memory.reserve(request(greedy), 0, 1));
        memory.reserve(request(other), 0, 50);
        assertThat(memory.reservedBytes()).isEqualTo(100);
        assertRejected(UNAVAILABLE, () -> memory.reserve(request(third), 0, 1));
    }

    @Test
    void oneRequestOfAnAccountMayHaveMoreThanHalf() {
        RequestMemory memory = new RequestMemory(100, AT_ONCE);
        Request large = new Request(greedy);

        memory.reserve(large.context, 0, 1_000);
        assertThat(memory.reservedBytes()).isEqualTo(100);
        assertRejected(RATE_LIMITED, () -> memory.reserve(request(greedy), 0, 1));
        large.end();
        assertThat(memory.reservedBytes()).isZero();
        memory.reserve(request(greedy), 0, 50);
    }

    @Test
    void requestsThatWaitForTheirAccountsShareAreOvertaken() throws Exception {
        RequestMemory memory = new RequestMemory(100, LONG);
        Request first = new Request(greedy);
        memory.reserve(first.context, 0, 50);

        try (Waiting waiting = new Waiting()) {
            CompletableFuture<Void> own = waiting.on(() -> memory.reserve(request(greedy), 0, 40));
            memory.reserve(request(other), 0, 50);
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
        memory.reserve(first.context, 0, 50);

        try (Waiting waiting = new Waiting()) {
            CompletableFuture<Void> large = waiting.on(() -> memory.reserve(second.context, 0, 60));
            CompletableFuture<Void> small = waiting.on(() -> memory.reserve(request(third), 0, 50));
            assertThat(small).isNotDone();

            first.end();

            large.get();
            assertThat(small).isNotDone();
            second.end();
            small.get();
        }
    }

    @Test
    void requestThatHoldsTheShareOfItsAccountTakesTheRestFromAll() {
        RequestMemory memory = new RequestMemory(100, AT_ONCE);
        Request growing = new Request(greedy);
        Request second = new Request(other);

        memory.reserve(growing.context, 0, 50);

        memory.reserve(second.context, 0, 50);
        assertRejected(UNAVAILABLE, () -> memory.reserve(growing.context, 50, 60));
        second.end();
        memory.reserve(growing.context, 50, 1_000);
        assertThat(memory.reservedBytes()).isEqualTo(100);
        growing.end();
        assertThat(memory.reservedBytes()).isZero();
    }

    @Test
    void onePermitIsForOneRequest() {
        RequestMemory memory = new RequestMemory(1, AT_ONCE);
        Request first = new Request(greedy);
        memory.reserve(first.context, 0, 1);

        assertRejected(RATE_LIMITED, () -> memory.reserve(request(greedy), 0, 1));
        Request early = new Request(other);
        assertRejected(UNAVAILABLE, () -> memory.reserve(early.context, 0, 1));
        early.end();
        first.end();
        memory.reserve(request(other), 0, 1);
    }

    @Test
    void clientsThatDisconnectStopWaiting() throws Exception {
        RequestMemory memory = new RequestMemory(100, LONG);
        memory.reserve(request(greedy), 0, 50);
        Request leaving = new Request(other);

        try (Waiting waiting = new Waiting()) {
            CompletableFuture<Void> large = waiting.on(() -> memory.reserve(leaving.context, 0, 60));
            CompletableFuture<Void> small = waiting.on(() -> memory.reserve(request(third), 0, 50));
            assertThat(small).isNotDone();

            leaving.end();

            small.get();
            assertThatThrownBy(large::get).hasCauseInstanceOf(ApiException.class);
            assertThat(memory.reservedBytes()).isEqualTo(100);
        }
    }

    @Test
    void requestsThatHaveEndedDoNotWait() {
        RequestMemory memory = new RequestMemory(100, LONG);
        memory.reserve(request(other), 0, 100);
        Request gone = new Request(greedy);
        gone.end();

        assertThatThrownBy(() -> memory.reserve(gone.context, 0, 1)).isInstanceOf(ApiException.class);
        assertThat(memory.reservedBytes()).isEqualTo(100);
    }

    private RoutingContext request(UUID account) {
        Request request = new Request(account);
        running.add(request);
        return request.context;
    }

    private static void assertRejected(ApiException.Kind kind, ThrowingCallable reservation) {
        assertThatThrownBy(reservation)
                .isInstanceOfSatisfying(
                        ApiException.class,
                        rejected -> assertThat(rejected.kind()).isEqualTo(kind));
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

        private final List<Thread> threads = new ArrayList<>();

        CompletableFuture<Void> on(Runnable action) {
            CompletableFuture<Void> done = new CompletableFuture<>();
            Thread thread = Thread.ofPlatform()
                    .start(() -> done.completeAsync(
                            () -> {
                                action.run();
                                return null;
                            },
                            Runnable::run));
            threads.add(thread);
            await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
            return done;
        }

        @Override
        public void close() {
            threads.forEach(Thread::interrupt);
        }
    }
}
