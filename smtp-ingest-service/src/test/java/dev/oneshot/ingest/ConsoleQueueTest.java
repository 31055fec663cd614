package dev.oneshot.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.logging.Handler;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jboss.logmanager.ExtHandler;
import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.Level;
import org.jboss.logmanager.handlers.AsyncHandler;
import org.junit.jupiter.api.Test;

class ConsoleQueueTest {

    private static final int LINES = 500;

    private final Console console = new Console();
    private final Root root = new Root();

    @Test
    void waitingLinesAreWrittenAtTheEndAndLaterOnesAtOnce() throws Exception {
        // Given
        root.setHandlers(new Handler[] {queue()});
        List<String> lines =
                IntStream.range(0, LINES).mapToObj(Integer::toString).toList();
        lines.forEach(this::log);
        assertThat(console.lines).isEmpty();
        console.open.release();

        // When
        ConsoleQueue.end(root);

        // Then
        assertThat(console.lines).containsExactlyElementsOf(lines);
        log("stopped");
        assertThat(console.lines)
                .containsExactlyElementsOf(
                        Stream.concat(lines.stream(), Stream.of("stopped")).toList());
    }

    @Test
    void consoleThatTakesNoLinesDoesNotStopTheEnd() throws Exception {
        root.setHandlers(new Handler[] {queue()});
        log("kept");

        ConsoleQueue.end(root);

        assertThat(console.lines).isEmpty();
        console.open.release();
    }

    @Test
    void consoleWithoutAQueueStaysAsItIs() throws Exception {
        console.open.release();
        root.setHandlers(new Handler[] {console});

        ConsoleQueue.end(root);

        log("stopped");
        assertThat(console.lines).containsExactly("stopped");
    }

    private AsyncHandler queue() {
        AsyncHandler queue = new AsyncHandler(LINES + 1);
        queue.addHandler(console);
        return queue;
    }

    private void log(String line) {
        root.publish(new ExtLogRecord(Level.INFO, line, ConsoleQueueTest.class.getName()));
    }

    /** As Quarkus's root handler: passes each line to its handlers. */
    private static final class Root extends ExtHandler {
        @Override
        protected void doPublish(ExtLogRecord line) {
            publishToNestedHandlers(line);
        }
    }

    /** Takes no lines until it is open, and none when it is closed. */
    private static final class Console extends ExtHandler {
        private final Semaphore open = new Semaphore(0);
        private final Queue<String> lines = new ConcurrentLinkedQueue<>();
        private volatile boolean closed;

        @Override
        protected void doPublish(ExtLogRecord line) {
            // A queue that closes interrupts its thread.
            open.acquireUninterruptibly();
            open.release();
            if (!closed) {
                lines.add(line.getMessage());
            }
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
