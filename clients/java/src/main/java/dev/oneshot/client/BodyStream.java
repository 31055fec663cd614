package dev.oneshot.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The body of a response as a stream whose reads are bounded in time, which those of the JDK are not. It holds one list of
 * buffers at a time.
 */
final class BodyStream extends InputStream implements BodySubscriber<BodyStream> {

    /** The publisher's signals: buffers, and at the end a completion or an error. */
    private record Signal(
            List<ByteBuffer> buffers,
            boolean last,
            @Nullable Throwable error) {}

    private final BlockingQueue<Signal> signals = new LinkedBlockingQueue<>();
    private final Queue<ByteBuffer> buffers = new ArrayDeque<>();
    private final Duration stallTimeout;
    private @Nullable Subscription subscription;
    private boolean waiting = true;
    private boolean ended;
    private boolean closed;

    /** @param stallTimeout how long a read waits for the next bytes */
    BodyStream(Duration stallTimeout) {
        this.stallTimeout = stallTimeout;
    }

    /**
     * The whole body.
     *
     * @param deadline the {@link System#nanoTime()} by which all of it must be here
     * @return null if there are more than {@code bytesMax} bytes
     */
    byte @Nullable [] readAll(int bytesMax, long deadline) throws IOException {
        try (this) {
            byte[] bytes = new byte[0];
            int length = 0;
            while (advance(deadline)) {
                ByteBuffer buffer = buffers.element();
                if (buffer.remaining() > bytesMax - length) {
                    return null;
                }
                if (length + buffer.remaining() > bytes.length) {
                    int larger = Math.max(length + buffer.remaining(), (int) Math.min(bytesMax, 2L * bytes.length));
                    bytes = Arrays.copyOf(bytes, larger);
                }
                int count = buffer.remaining();
                buffer.get(bytes, length, count);
                length += count;
            }
            return Arrays.copyOf(bytes, length);
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!advance(System.nanoTime() + stallTimeout.toNanos())) {
            return -1;
        }
        ByteBuffer buffer = buffers.element();
        int count = Math.min(length, buffer.remaining());
        buffer.get(bytes, offset, count);
        return count;
    }

    /** Waits until the first buffer has bytes; false at the end. */
    private boolean advance(long deadline) throws IOException {
        while (true) {
            ByteBuffer buffer = buffers.peek();
            if (closed && !ended) {
                throw new IOException("the stream is closed");
            } else if (buffer != null && buffer.hasRemaining()) {
                return true;
            } else if (buffer != null) {
                buffers.remove();
            } else if (ended) {
                return false;
            } else {
                take(deadline);
            }
        }
    }

    private void take(long deadline) throws IOException {
        request();
        try {
            Signal signal = signals.poll(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (signal == null) {
                close();
                throw new HttpTimeoutException("the rest of the response does not arrive");
            }
            waiting = false;
            ended = signal.last();
            buffers.addAll(signal.buffers());
            if (signal.error() != null) {
                throw new IOException(
                        "the response broke off: " + signal.error().getMessage(), signal.error());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            close();
            InterruptedIOException interrupted = new InterruptedIOException("interrupted while reading a response");
            interrupted.initCause(e);
            throw interrupted;
        }
    }

    private synchronized void request() {
        if (subscription != null && !waiting) {
            waiting = true;
            subscription.request(1);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (subscription != null && !ended) {
            subscription.cancel();
        }
    }

    @Override
    public CompletionStage<BodyStream> getBody() {
        return CompletableFuture.completedStage(this);
    }

    @Override
    public synchronized void onSubscribe(Subscription newSubscription) {
        subscription = newSubscription;
        if (closed) {
            newSubscription.cancel();
        } else {
            newSubscription.request(1);
        }
    }

    @Override
    public void onNext(List<ByteBuffer> item) {
        signals.add(new Signal(item, false, null));
    }

    @Override
    public void onError(Throwable error) {
        signals.add(new Signal(List.of(), true, error));
    }

    @Override
    public void onComplete() {
        signals.add(new Signal(List.of(), true, null));
    }
}
