package dev.oneshot.ingest;

import io.quarkus.bootstrap.logging.InitialConfigurator;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import org.jboss.logmanager.ExtHandler;
import org.jboss.logmanager.handlers.AsyncHandler;

/**
 * When the service stops, writes the queued lines to the console, and then each further line at once. The thread of Quarkus's queue
 * is a daemon, so the JVM would end without the last lines.
 */
@Singleton
final class ConsoleQueue {

    /** A console that takes no lines delays the stop by this time at most. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final Duration POLL = Duration.ofMillis(1);

    /** Runs after all other observers, whose lines it writes. */
    void stop(@Observes @Priority(Integer.MAX_VALUE) ShutdownEvent event) throws InterruptedException {
        end(InitialConfigurator.DELAYED_HANDLER);
    }

    /** Replaces each queue by its handlers, then waits until the queues are empty. */
    static void end(ExtHandler root) throws InterruptedException {
        List<Handler> handlers = new ArrayList<>();
        List<AsyncHandler> queues = new ArrayList<>();
        for (Handler handler : root.getHandlers()) {
            if (handler instanceof AsyncHandler queue) {
                queues.add(queue);
                handlers.addAll(List.of(queue.getHandlers()));
            } else {
                handlers.add(handler);
            }
        }
        root.setHandlers(handlers.toArray(Handler[]::new));
        for (AsyncHandler queue : queues) {
            queue.setCloseChildren(false);
            queue.close();
            awaitNoHandlers(queue);
        }
    }

    /** The thread of a closed queue removes its handlers when it has written all lines. */
    private static void awaitNoHandlers(AsyncHandler queue) throws InterruptedException {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (queue.getHandlers().length > 0 && System.nanoTime() - until < 0) {
            Thread.sleep(POLL);
        }
    }
}
