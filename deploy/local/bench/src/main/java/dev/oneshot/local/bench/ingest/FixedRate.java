package dev.oneshot.local.bench.ingest;

import dev.oneshot.local.bench.Bench;
import dev.oneshot.local.bench.Latency;
import dev.oneshot.local.bench.Load;
import dev.oneshot.local.bench.Load.Outcome;
import dev.oneshot.local.bench.Table;
import dev.oneshot.local.bench.api.ApiClient;
import dev.oneshot.local.bench.api.ApiClient.Created;
import dev.oneshot.local.bench.api.HttpConnection;
import dev.oneshot.local.bench.system.BenchStack;
import dev.oneshot.local.bench.system.MeasuredProcess;
import dev.oneshot.local.stack.Service;
import java.io.IOException;
import java.net.ProtocolException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** The whole stack at a rate that it sustains: each created address receives its one mail. */
final class FixedRate {

    private static final int PER_SECOND = 200;
    // Polling more addresses would be a load of its own.
    private static final int POLLED_OF = 20;
    private static final Duration POLL_INTERVAL = Duration.ofMillis(2);
    private static final Duration RECEIVED_TIMEOUT = Duration.ofSeconds(30);

    private final Bench bench;
    private final BenchStack stack;
    private final ApiClient api;
    private final int connections;
    private final byte[] content = Letter.content(10 * 1024);
    private final List<MeasuredProcess> services;

    FixedRate(Bench bench, BenchStack stack) throws IOException {
        this.bench = bench;
        this.stack = stack;
        this.api = new ApiClient(stack);
        this.connections = bench.settings().usualConnections();
        this.services = Arrays.stream(Service.values()).map(stack::process).toList();
    }

    /** The time from connect to 250, and from there to {@code received} as a polling client of the API sees it. */
    void measure() throws Exception {
        bench.say("warming up");
        // At full speed, as the compilers rest at a low rate before they have compiled most code.
        Load fullSpeed = SmtpLoad.of(
                connections, stack.smtpPort(), SmtpMode.ONE, content, Recipients.signed(stack.addressKey()));
        MeasuredProcess.warmUp(services, () -> fullSpeed.peak(Duration.ZERO, MeasuredProcess.TURN));
        MeasuredProcess.warmUp(services, () -> receive(MeasuredProcess.TURN, new Latency(), new Latency()));
        Latency since250 = new Latency();
        Latency sinceConnect = new Latency();
        Outcome outcome = receive(bench.settings().sustained(), since250, sinceConnect);
        String title = "Receiving at %d/s, one message of 10 KB a connection, whole stack".formatted(PER_SECOND);
        bench.add(new Table(title, "from | to | messages | p50/p99 ms")
                .row("connect", "250", outcome.done(), outcome.latency())
                .row("250", "received", since250.count(), since250)
                .row("connect", "received", sinceConnect.count(), sinceConnect)
                .note("The time to 250 starts when the message is due. Every twentieth address is polled every 2 ms.")
                .note("Aim: 250 within 2 ms (p50) and 20 ms (p99); received within 10 ms and 100 ms."));
    }

    private Outcome receive(Duration time, Latency since250, Latency sinceConnect) throws Exception {
        List<Created> addresses = api.addresses((int) (PER_SECOND * (time.toSeconds() + 1)));
        AtomicInteger next = new AtomicInteger();
        List<Future<?>> polls = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Load.Worker worker = () -> {
                int number = next.getAndIncrement();
                Created address = addresses.get(number % addresses.size());
                long connected = System.nanoTime();
                boolean accepted = new SmtpLoad(
                                stack.smtpPort(), SmtpMode.ONE, content, Recipients.created(List.of(address.id())))
                        .once();
                long replied = System.nanoTime();
                if (accepted && number % POLLED_OF == 0) {
                    synchronized (polls) {
                        polls.add(threads.submit(() -> {
                            awaitReceived(address);
                            since250.record(System.nanoTime() - replied);
                            sinceConnect.record(System.nanoTime() - connected);
                            return null;
                        }));
                    }
                }
                return accepted;
            };
            Outcome outcome = Load.of(connections, () -> worker).atRate(PER_SECOND, Duration.ZERO, time);
            for (Future<?> poll : polls) {
                poll.get();
            }
            return outcome;
        }
    }

    private void awaitReceived(Created address) throws IOException {
        byte[] poll = HttpConnection.request("GET", "/v1/addresses/" + address.id(), address.key(), "");
        long deadline = System.nanoTime() + RECEIVED_TIMEOUT.toNanos();
        try (HttpConnection connection = new HttpConnection(stack.httpPort())) {
            connection.exchange(poll, 200);
            while (!connection.string("status").equals("received")) {
                if (System.nanoTime() - deadline > 0) {
                    throw new ProtocolException("a mail with a 250 was not received within " + RECEIVED_TIMEOUT);
                }
                LockSupport.parkNanos(POLL_INTERVAL.toNanos());
                connection.exchange(poll, 200);
            }
        }
    }
}
