package dev.oneshot.api;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The same thing done by many at once. */
public final class Together {

    private Together() {}

    /** Does it so many times, all begun together; answers what came out. */
    public static <T> List<T> times(int count, Callable<T> task) {
        CountDownLatch ready = new CountDownLatch(count);
        try (ExecutorService threads = Executors.newFixedThreadPool(count)) {
            List<Future<T>> futures = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                futures.add(threads.submit(() -> {
                    ready.countDown();
                    ready.await();
                    return task.call();
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(future.get());
            }
            return results;
        } catch (ExecutionException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
