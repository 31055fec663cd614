package dev.oneshot.local.bench.send;

import dev.oneshot.local.bench.Load;
import dev.oneshot.testing.ScriptedRelay;
import dev.oneshot.testing.ScriptedRelay.Mail;
import dev.oneshot.testing.ScriptedRelay.Script;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * A relay that accepts and discards every mail. It runs in the process of the benchmark, so that the time of a request's 201
 * and of the relay's 250 come from one clock. Any number of threads record.
 */
final class SinkRelay implements Script, AutoCloseable {

    private static final Duration RELAYED_TIMEOUT = Duration.ofMinutes(10);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(5);

    private final Map<String, Long> accepted = new ConcurrentHashMap<>();
    private final Map<String, Long> relayed = new ConcurrentHashMap<>();
    private final AtomicInteger repeated = new AtomicInteger();
    private volatile boolean held;
    private final ScriptedRelay server = new ScriptedRelay(this);

    int port() {
        return server.port();
    }

    /** Holds back replies to MAIL until this is called with false. */
    void hold(boolean hold) {
        held = hold;
    }

    /** A request got its 201; its mail will come from this id. */
    void expect(String id, long nanos) {
        accepted.put(id, nanos);
    }

    @Override
    public boolean keepsMails() {
        return false;
    }

    @Override
    public String command(String line) {
        while (held && line.startsWith("MAIL")) {
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
        }
        return Script.super.command(line);
    }

    @Override
    public String data(Mail mail) {
        String id = mail.from().substring(0, mail.from().indexOf('@'));
        if (relayed.putIfAbsent(id, mail.atNanos()) != null) {
            repeated.incrementAndGet();
        }
        return Script.super.data(mail);
    }

    /** The times from 201 to 250 of mails accepted since then; 0 if the 250 came first. */
    Histogram latencySince(long nanos) {
        Histogram latency = Load.latency();
        accepted.forEach((id, at) -> {
            if (at - nanos >= 0) {
                latency.recordValue(Math.max(0, relayed.getOrDefault(id, at) - at));
            }
        });
        return latency;
    }

    /** The number of mails, without repetitions. */
    int relayed() {
        return relayed.size();
    }

    /** Mails that arrived more than once. */
    int repeated() {
        return repeated.get();
    }

    /**
     * Waits until each accepted request has been relayed.
     *
     * @throws IllegalStateException after ten minutes
     */
    void awaitAll() throws Exception {
        Load.await(
                () -> relayed.size() >= accepted.size(),
                POLL_INTERVAL,
                RELAYED_TIMEOUT,
                () -> "accepted %,d mails, but relayed only %,d".formatted(accepted.size(), relayed.size()));
    }

    @Override
    public void close() throws IOException {
        hold(false);
        server.close();
    }
}
