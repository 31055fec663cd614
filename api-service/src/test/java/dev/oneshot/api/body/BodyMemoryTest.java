package dev.oneshot.api.body;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.configuration.MemorySize;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bodies in 1 MiB of memory for large ones and as much for small ones. */
class BodyMemoryTest {

    private static final int SMALL_BYTES_MAX = 64 * 1024;
    private static final ThreadLocal<OpenRequest> CURRENT = new ThreadLocal<>();

    private final List<OpenRequest> open = new ArrayList<>();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final BodyMemory memory = new BodyMemory(currentRequest(), new Limits(Duration.ofHours(2)), metrics);

    private record Limits(Duration bodyWait) implements BodyConfig {

        @Override
        public MemorySize bodyMax() {
            return new MemorySize(BigInteger.valueOf(48L << 20));
        }

        @Override
        public MemorySize bodyMemory() {
            return new MemorySize(BigInteger.valueOf(1 << 20));
        }

        @Override
        public MemorySize smallBodyMemory() {
            return bodyMemory();
        }

        @Override
        public Duration bodyReceive() {
            return Duration.ofHours(1);
        }
    }

    /** A client that sends without an end. */
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

    /** A client that declares the length gets no more time. All of a body may take an hour; the pause is minus half an hour. */
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
        assertThat(isSlow).isTrue();
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
