package dev.oneshot.local.chaos;

import dev.oneshot.testing.SmtpClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Mail and requests at fixed rates, even if they fail. Like an MTA (RFC 5321 §4.5.4), it retries a mail that got a 4xx or whose
 * reply was lost.
 */
final class Traffic {

    static final int MAILS_PER_SECOND = 40;
    static final int SENDS_PER_SECOND = 5;

    /** One mail in this many is polled until it can be read. */
    private static final int POLLED_EACH = 8;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
    private static final Duration POLL_EVERY = Duration.ofMillis(500);
    private static final Duration SETTLED_WITHIN = Duration.ofMinutes(5);
    private static final int BODY_CHARACTERS = 1_500;

    private final Api api;
    private final int smtpPort;
    private final AtomicBoolean running = new AtomicBoolean(true);
    private final Queue<Mail> mails = new ConcurrentLinkedQueue<>();
    private final Queue<Send> sends = new ConcurrentLinkedQueue<>();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger lostReplies = new AtomicInteger();

    /** A mail that got a 250, and the time until it was readable; 0 if it was not polled for. */
    record Mail(String addressId, String content, long acceptedNanos, long visibleAfterNanos) {}

    /** A request to send that was accepted. */
    record Send(String addressId, long acceptedNanos) {}

    Traffic(Api api, int smtpPort) {
        this.api = api;
        this.smtpPort = smtpPort;
    }

    Queue<Mail> mails() {
        return mails;
    }

    Queue<Send> sends() {
        return sends;
    }

    /** Replies of 4yz. */
    int refused() {
        return refused.get();
    }

    /** Connections that ended before the reply, or could not be made. */
    int lostReplies() {
        return lostReplies.get();
    }

    /**
     * Runs while the fault happens, until it has ended and each mail has got its 250.
     *
     * @param addresses of mails, at most one a mail; when they are used up, no further mail is sent
     */
    void run(List<String> addresses, Callable<?> fault) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> clients = new ArrayList<>();
            clients.add(threads.submit(() -> atRate(
                    MAILS_PER_SECOND,
                    addresses.size(),
                    number -> threads.submit(() -> deliver(addresses.get(number), number % POLLED_EACH == 0)))));
            clients.add(
                    threads.submit(() -> atRate(SENDS_PER_SECOND, Integer.MAX_VALUE, _ -> threads.submit(this::send))));
            try {
                fault.call();
            } finally {
                running.set(false);
            }
            for (Future<?> client : clients) {
                client.get();
            }
        }
    }

    /** An operation with its number, from 0. */
    @FunctionalInterface
    private interface Operation {
        Future<?> start(int number);
    }

    /** Starts operations until the traffic ends, then waits for all of them. */
    private Void atRate(int perSecond, int max, Operation operation) throws Exception {
        List<Future<?>> started = new ArrayList<>();
        long begin = System.nanoTime();
        while (running.get() && started.size() < max) {
            long due = begin + TimeUnit.SECONDS.toNanos(started.size()) / perSecond;
            TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
            started.add(operation.start(started.size()));
        }
        for (Future<?> one : started) {
            one.get();
        }
        return null;
    }

    private Void deliver(String id, boolean isPolled) throws Exception {
        String content = content(id);
        long deadline = System.nanoTime() + SETTLED_WITHIN.toNanos();
        while (!isAccepted(id, content)) {
            requireTime(deadline, "a mail got no 250");
            TimeUnit.NANOSECONDS.sleep(RETRY_AFTER.toNanos());
        }
        long accepted = System.nanoTime();
        while (isPolled && !api.isReceived(id)) {
            requireTime(deadline, "a mail did not become visible");
            TimeUnit.NANOSECONDS.sleep(POLL_EVERY.toNanos());
        }
        mails.add(new Mail(id, content, accepted, isPolled ? System.nanoTime() - accepted : 0));
        return null;
    }

    /** Whether it got a 250, or the refusal of a second mail, as an earlier attempt was stored. */
    private boolean isAccepted(String id, String content) {
        try (SmtpClient client = SmtpClient.greeted(smtpPort)) {
            String reply = client.send(id + "@in.oneshot.localhost", content.getBytes(StandardCharsets.US_ASCII));
            if (reply.startsWith("4")) {
                refused.incrementAndGet();
            }
            return reply.startsWith("2") || reply.startsWith("550 5.2.1");
        } catch (IOException e) {
            lostReplies.incrementAndGet();
            return false;
        }
    }

    private Void send() throws InterruptedException {
        api.send().ifPresent(id -> sends.add(new Send(id, System.nanoTime())));
        return null;
    }

    private static String content(String id) {
        return "From: ada@example.org\r\nSubject: " + id + "\r\n\r\n"
                + (id + "\r\n").repeat(BODY_CHARACTERS / id.length());
    }

    private static void requireTime(long deadline, String failure) {
        if (System.nanoTime() > deadline) {
            throw new IllegalStateException(failure + " within " + SETTLED_WITHIN);
        }
    }
}
