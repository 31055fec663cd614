package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.testing.SmtpClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends mails to distinct addresses, some at a time, to several ingest nodes. Like an MTA (RFC 5321 §4.5.4), it defers
 * and retries a mail that got a 4xx or whose reply was lost, until it is settled.
 */
final class MailLoad {

    private static final Duration DEFERRED = Duration.ofSeconds(1);
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final int[] nodes;
    private final List<Mail> mails = new ArrayList<>();
    private final Map<Event, Integer> events = new ConcurrentHashMap<>();
    private final Map<String, Integer> codes = new ConcurrentHashMap<>();
    private final AtomicInteger attempts = new AtomicInteger();
    private final Semaphore connections;
    private final CountDownLatch released = new CountDownLatch(1);
    private int held;

    /** The result of an attempt. */
    enum Event {
        /** A 250: the service is responsible for the mail. */
        ACCEPTED,
        /** A 4xx. */
        REFUSED_FOR_NOW,
        /** The connection was lost during the mail, before its reply. */
        LOST,
        /** No connection could be made. */
        UNREACHABLE,
        /** A 550 5.2.1 after an attempt of unknown outcome: the address has its mail, which was this one. */
        ALREADY_THERE
    }

    @SuppressWarnings("ArrayRecordComponent") // No two are compared.
    record Mail(String addressId, byte[] octets) {}

    /** A load for the SMTP ports of these nodes, with at most this many connections at a time. */
    MailLoad(int connections, int... nodes) {
        this.connections = new Semaphore(connections);
        this.nodes = nodes;
    }

    /** Adds a mail before the load is {@link #send sent}. */
    void add(String addressId, byte[] octets) {
        mails.add(new Mail(addressId, octets));
    }

    /** Holds back this many of the last mails until {@link #release}, so that a fault hits in mid-load on a fast machine too. */
    void hold(int last) {
        held = last;
    }

    void release() {
        released.countDown();
    }

    List<Mail> mails() {
        return mails;
    }

    /** The number of such results so far. */
    int count(Event event) {
        return events.getOrDefault(event, 0);
    }

    /** The number of replies by their codes so far. */
    Map<String, Integer> codes() {
        return codes;
    }

    /** Sends all mails and runs {@code fault} in parallel; returns when every mail is settled. */
    void send(Callable<?> fault) throws Exception {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        try (ExecutorService queue = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Event>> sending = new ArrayList<>();
            for (Mail mail : mails) {
                boolean isHeld = sending.size() >= mails.size() - held;
                sending.add(queue.submit(() -> {
                    if (isHeld) {
                        released.await();
                    }
                    return sendUntilSettled(mail, deadline);
                }));
            }
            try {
                fault.call();
            } finally {
                release();
            }
            for (Future<Event> one : sending) {
                one.get();
            }
        } catch (ExecutionException e) {
            throw new AssertionError("a sender met with what should not be; so far " + this, e);
        }
    }

    private Event sendUntilSettled(Mail mail, long deadline) throws InterruptedException {
        boolean outcomeUnknown = false;
        Event event = attempt(mail, outcomeUnknown);
        while (event != Event.ACCEPTED && event != Event.ALREADY_THERE) {
            assertThat(System.nanoTime()).as("time left, so far %s", this).isLessThan(deadline);
            // A mail that Kafka did not acknowledge in time may still be stored.
            outcomeUnknown |= event != Event.UNREACHABLE;
            TimeUnit.NANOSECONDS.sleep(DEFERRED.toNanos());
            event = attempt(mail, outcomeUnknown);
        }
        return event;
    }

    private Event attempt(Mail mail, boolean outcomeUnknown) throws InterruptedException {
        connections.acquire();
        boolean begun = false;
        Event event;
        try (SmtpClient sender = SmtpClient.greeted(nodes[attempts.getAndIncrement() % nodes.length])) {
            begun = true;
            String reply = sender.send(Account.mailbox(mail.addressId), mail.octets);
            codes.merge(reply.substring(0, 3), 1, Integer::sum);
            event = eventOf(reply, outcomeUnknown);
        } catch (IOException lost) {
            event = begun ? Event.LOST : Event.UNREACHABLE;
        } finally {
            connections.release();
        }
        events.merge(event, 1, Integer::sum);
        return event;
    }

    private static Event eventOf(String reply, boolean outcomeUnknown) {
        return switch (reply.charAt(0)) {
            case '2' -> Event.ACCEPTED;
            case '4' -> Event.REFUSED_FOR_NOW;
            default -> {
                assertThat(reply).startsWith("550 5.2.1");
                assertThat(outcomeUnknown)
                        .as("a mail without an earlier attempt is refused: %s", reply)
                        .isTrue();
                yield Event.ALREADY_THERE;
            }
        };
    }

    @Override
    public String toString() {
        return mails.size() + " mails: " + events + ", " + attempts + " attempts";
    }
}
