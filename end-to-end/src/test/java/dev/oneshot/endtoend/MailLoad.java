package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.testing.SmtpClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Sends mails to distinct addresses, by several senders to several ingest nodes. Like an MTA (RFC 5321 §4.5.4), a
 * sender defers and retries a mail that got a 4xx or whose reply was lost, until it is settled.
 */
final class MailLoad {

    private static final int SENDERS = 8;
    private static final Duration DEFERRED = Duration.ofSeconds(1);
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final int[] nodes;
    private final DelayQueue<Mail> queue = new DelayQueue<>();
    private final List<Mail> mails = new ArrayList<>();
    private final Map<Event, AtomicInteger> events = new EnumMap<>(Event.class);
    private final AtomicInteger unsettled = new AtomicInteger();
    private final AtomicInteger connections = new AtomicInteger();
    private volatile long deadline;

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

    /** A mail and its attempts. Used by one sender at a time. */
    static final class Mail implements Delayed {

        private final String addressId;
        private final byte[] octets;
        private long notBefore = System.nanoTime();
        private boolean outcomeUnknown;

        Mail(String addressId, byte[] octets) {
            this.addressId = addressId;
            this.octets = octets;
        }

        String addressId() {
            return addressId;
        }

        byte[] octets() {
            return octets;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(notBefore - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }

    /** A load for the SMTP ports of these nodes. */
    MailLoad(int... nodes) {
        this.nodes = nodes;
        for (Event event : Event.values()) {
            events.put(event, new AtomicInteger());
        }
    }

    /** Adds a mail before the load is {@link #send sent}. */
    void add(String addressId, byte[] octets) {
        Mail mail = new Mail(addressId, octets);
        mails.add(mail);
        queue.add(mail);
        unsettled.incrementAndGet();
    }

    List<Mail> mails() {
        return mails;
    }

    /** The number of such results so far. */
    int count(Event event) {
        return counter(event).get();
    }

    /** Sends all mails and runs {@code meanwhile} in parallel; returns when every mail is settled. */
    void send(Callable<?> meanwhile) throws Exception {
        deadline = System.nanoTime() + TIMEOUT.toNanos();
        try (ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> sending = new ArrayList<>();
            for (int i = 0; i < SENDERS; i++) {
                sending.add(senders.submit(this::sendFromQueue));
            }
            meanwhile.call();
            for (Future<?> sender : sending) {
                sender.get();
            }
        } catch (ExecutionException e) {
            throw new AssertionError("a sender met with what should not be; so far " + this, e);
        }
    }

    private Void sendFromQueue() throws InterruptedException, IOException {
        SmtpClient sender = null;
        while (unsettled.get() > 0) {
            assertThat(System.nanoTime()).as("time left, so far %s", this).isLessThan(deadline);
            Mail mail = queue.poll(100, TimeUnit.MILLISECONDS);
            if (mail != null) {
                sender = attempt(sender, mail);
            }
        }
        if (sender != null) {
            sender.close();
        }
        return null;
    }

    /** Makes one attempt; returns the connection if it can be reused. */
    private @Nullable SmtpClient attempt(@Nullable SmtpClient connected, Mail mail) throws IOException {
        SmtpClient sender = connected;
        boolean begun = false;
        try {
            if (sender == null) {
                sender = SmtpClient.greeted(nodes[connections.getAndIncrement() % nodes.length]);
            }
            begun = true;
            String reply = sender.send(Account.mailbox(mail.addressId), mail.octets);
            handleReply(mail, reply);
            if (reply.startsWith("250")) {
                return sender;
            }
        } catch (IOException lost) {
            mail.outcomeUnknown |= begun;
            defer(mail, begun ? Event.LOST : Event.UNREACHABLE);
        }
        if (sender != null) {
            sender.close();
        }
        return null;
    }

    private void handleReply(Mail mail, String reply) {
        switch (reply.charAt(0)) {
            case '2' -> settle(Event.ACCEPTED);
            case '4' -> {
                mail.outcomeUnknown = true; // A mail that Kafka did not acknowledge in time may still be stored.
                defer(mail, Event.REFUSED_FOR_NOW);
            }
            default -> {
                assertThat(reply).startsWith("550 5.2.1");
                assertThat(mail.outcomeUnknown)
                        .as("a mail without an earlier attempt is refused: %s", reply)
                        .isTrue();
                settle(Event.ALREADY_THERE);
            }
        }
    }

    private AtomicInteger counter(Event event) {
        return Objects.requireNonNull(events.get(event));
    }

    private void settle(Event event) {
        counter(event).incrementAndGet();
        unsettled.decrementAndGet();
    }

    private void defer(Mail mail, Event event) {
        counter(event).incrementAndGet();
        mail.notBefore = System.nanoTime() + DEFERRED.toNanos();
        queue.add(mail);
    }

    @Override
    public String toString() {
        return mails.size() + " mails: " + events + ", " + connections + " connections";
    }
}
