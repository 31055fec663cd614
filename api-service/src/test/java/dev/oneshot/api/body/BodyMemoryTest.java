package dev.oneshot.api.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oneshot.api.error.ApiException;
import dev.oneshot.testing.TestSettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bodies, with 1 MiB of memory for large ones and 1 MiB for small ones. */
class BodyMemoryTest {

    private static final int SMALL_BYTES_MAX = 64 * 1024;
    private static final long SMALL_RESERVED = 3 * SMALL_BYTES_MAX;
    private static final ThreadLocal<OpenRequest> CURRENT = new ThreadLocal<>();

    private final List<OpenRequest> open = new ArrayList<>();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final BodyMemory memory = new BodyMemory(
            currentRequest(),
            TestSettings.of(
                    BodyConfig.class, "body-memory=1M", "small-body-memory=1M", "body-wait=PT2H", "body-receive=PT1H"),
            metrics);

    /** A client that never stops sending. */
    private static final class Body extends InputStream {

        /** Runs when the service waits for the client. */
        private Runnable awaited = () -> {};

        @Override
        public int read() {
            throw new AssertionError("bytes are read one by one");
        }

        @Override
        public int read(byte[] buffer, int offset, int length) {
            awaited.run();
            return length;
        }
    }

    @AfterEach
    void endAll() {
        CURRENT.remove();
        open.forEach(OpenRequest::end);
    }

    /**
     * A body may take an hour. So with a patience of minus half an hour, a client is slow until it has sent half: of 64 KiB, then
     * of the plan's bound.
     */
    @Test
    void bodyOfUnknownLengthIsPacedAsASmallOneUntilItIsLarge() throws IOException {
        long patience = Duration.ofMinutes(-30).toNanos();
        AtomicBoolean isSlow = new AtomicBoolean();
        Body body = new Body();
        begin(UUID.randomUUID());
        InputStream small = memory.reserving(body, null);
        small.readNBytes(SMALL_BYTES_MAX);
        body.awaited = () -> isSlow.set(((RequestMemory.Use) small).isSlow(patience));

        var _ = small.read();
        assertThat(isSlow).isFalse();
        var _ = small.read();
        // From the second byte on, the new pace knows what has arrived.
        var _ = small.read();
        assertThat(isSlow).isTrue();
    }

    /** Otherwise it could stall for a minute, with memory that already counts as free. */
    @Test
    void requestEndedBetweenTwoWaitsIsRejectedAtItsNextRead() throws IOException {
        Body body = new Body();
        begin(UUID.randomUUID());
        InputStream ended = memory.reserving(body, "60000");
        ended.readNBytes(5_000);
        body.awaited = () -> {
            throw new AssertionError("the client is awaited");
        };

        ((RequestMemory.Use) ended).endForOthers();

        assertThatThrownBy(ended::read).satisfies(e -> assertKind(e, ApiException.Kind.REQUEST_TIMEOUT));
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    /**
     * They hold small memory while they wait. Otherwise an account with many of them would keep out the small bodies of all
     * others.
     */
    @Test
    void requestsThatWaitForLargeMemoryGiveUpSmallMemoryThatOthersNeed() throws IOException {
        begin(UUID.randomUUID());
        memory.reserving(new Body(), "400000").readNBytes(5_000);
        UUID greedy = UUID.randomUUID();
        List<CompletableFuture<Void>> growing = IntStream.range(0, 5)
                .mapToObj(_ -> onThread(greedy, SMALL_BYTES_MAX + 1, null))
                .toList();
        await().atMost(Duration.ofMinutes(1)).until(() -> smallReserved() == 5 * SMALL_RESERVED);

        CompletableFuture<Void> other = onThread(UUID.randomUUID(), 5_000, "60000");

        await().atMost(Duration.ofMinutes(1)).until(other::isDone);
        other.join();
        List<CompletableFuture<Void>> ended =
                growing.stream().filter(CompletableFuture::isDone).toList();
        assertThat(ended)
                .singleElement()
                .satisfies(one -> assertKind(one.exceptionNow(), ApiException.Kind.UNAVAILABLE));
    }

    private double smallReserved() {
        return metrics.get("oneshot.http.body.small.memory").gauge().value();
    }

    private static void assertKind(Throwable thrown, ApiException.Kind kind) {
        assertThat(thrown)
                .isInstanceOfSatisfying(
                        ApiException.class,
                        rejected -> assertThat(rejected.kind()).isEqualTo(kind));
    }

    private CompletableFuture<Void> onThread(UUID account, int bytes, @Nullable String contentLength) {
        OpenRequest request = begun(account);
        CompletableFuture<Void> done = new CompletableFuture<>();
        var _ = Thread.ofPlatform()
                .start(() -> done.completeAsync(
                        () -> {
                            read(request, bytes, contentLength);
                            return null;
                        },
                        Runnable::run));
        // As the server does when it has responded.
        var _ = done.whenComplete((_, _) -> request.end());
        return done;
    }

    private void read(OpenRequest request, int bytes, @Nullable String contentLength) {
        CURRENT.set(request);
        try {
            memory.reserving(new Body(), contentLength).readNBytes(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void begin(UUID account) {
        CURRENT.set(begun(account));
    }

    private OpenRequest begun(UUID account) {
        OpenRequest request = new OpenRequest(account);
        open.add(request);
        return request;
    }

    /** The request of the thread, as the server provides it. */
    private RoutingContext currentRequest() {
        return (RoutingContext) Proxy.newProxyInstance(
                OpenRequest.class.getClassLoader(),
                new Class<?>[] {RoutingContext.class},
                (_, method, arguments) -> method.invoke(CURRENT.get().context(), arguments));
    }
}
