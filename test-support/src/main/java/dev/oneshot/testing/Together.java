package dev.oneshot.testing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;

/** Runs the same task several times at once. */
public final class Together {

    private Together() {}

    /** Starts this many at once, and returns the results. */
    public static <T> List<T> times(int count, Callable<T> task) {
        return all(Collections.nCopies(count, task));
    }

    /** Rounds of this many at once until one result is as wanted, at most ten; returns all results. */
    public static <T> List<T> until(Predicate<T> wanted, int count, Callable<T> task) {
        List<T> results = new ArrayList<>();
        for (int round = 0; round < 10 && results.stream().noneMatch(wanted); round++) {
            results.addAll(times(count, task));
        }
        return results;
    }

    /** Starts one for each item at once, and returns the results in the order of the items. */
    public static <T, R> List<R> each(List<T> things, Task<T, R> task) {
        return all(things.stream()
                .map(thing -> (Callable<R>) () -> task.call(thing))
                .toList());
    }

    /** The task for one item. */
    @FunctionalInterface
    public interface Task<T, R> {
        R call(T thing) throws Exception;
    }

    private static <T> List<T> all(List<Callable<T>> tasks) {
        CountDownLatch ready = new CountDownLatch(tasks.size());
        try (ExecutorService threads = Executors.newFixedThreadPool(tasks.size())) {
            List<Future<T>> futures = new ArrayList<>();
            for (Callable<T> task : tasks) {
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
