package dev.oneshot.local.chaos;

import dev.oneshot.local.stack.Port;
import dev.oneshot.local.stack.ReplicatedStack;
import dev.oneshot.testing.ScriptedRelay;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A fault under load, and the fate of each mail. */
public final class Round {

    /** Before the fault, and after it has ended. */
    private static final Duration BEFORE = Duration.ofSeconds(3);

    private static final Duration AFTER = Duration.ofSeconds(7);
    private static final Duration SENT_WITHIN = Duration.ofMinutes(5);
    private static final Duration POLL_EVERY = Duration.ofMillis(250);
    private static final Duration RELAY_TAKES = Duration.ofSeconds(2);
    private static final int CLIENTS = 8;
    private static final double NANOS_IN_SECOND = 1e9;
    private static final String SECOND_MAILS =
            "SELECT count(*) - count(DISTINCT address_id) FROM mail WHERE piece = 0 AND address_id = ANY (?)";

    private final ReplicatedStack stack;
    private final Api api;
    private final ScriptedRelay relay;

    private Round(ReplicatedStack stack, Api api, ScriptedRelay relay) {
        this.stack = stack;
        this.api = api;
        this.relay = relay;
    }

    /**
     * The result.
     *
     * @param mails that got a 250
     * @param lost of them cannot be read
     * @param broken can be read, with other bytes
     * @param replaced have another mail instead, or a second one
     * @param sends that were accepted
     * @param sendsLost never reached the relay
     * @param sendsTwice reached the relay twice
     * @param gapSeconds the longest time without a 250 since the fault began
     * @param visibleSeconds the longest time from a 250 to the mail in the API
     * @param sentSeconds the longest time from a request to the relay's last 250
     * @param refused replies of 4yz
     * @param lostReplies SMTP connections that failed or got 421
     * @param unavailable responses of 503
     * @param failed HTTP requests without a response
     */
    public record Result(
            int mails,
            int lost,
            int broken,
            int replaced,
            int sends,
            int sendsLost,
            int sendsTwice,
            double gapSeconds,
            double visibleSeconds,
            double sentSeconds,
            int refused,
            int lostReplies,
            int unavailable,
            int failed) {

        static final String COLUMNS = "%-20s %6s %5s %6s %8s %6s %5s %6s %7s %10s %7s %5s %5s %5s %8s"
                .formatted(
                        "fault",
                        "mails",
                        "lost",
                        "broken",
                        "replaced",
                        "sends",
                        "lost",
                        "twice",
                        "gap s",
                        "visible s",
                        "sent s",
                        "4yz",
                        "cut",
                        "503",
                        "failed");

        String line(Fault fault) {
            return "%-20s %6d %5d %6d %8d %6d %5d %6d %7.1f %10.1f %7.1f %5d %5d %5d %8d"
                    .formatted(
                            fault.word(),
                            mails,
                            lost,
                            broken,
                            replaced,
                            sends,
                            sendsLost,
                            sendsTwice,
                            gapSeconds,
                            visibleSeconds,
                            sentSeconds,
                            refused,
                            lostReplies,
                            unavailable,
                            failed);
        }

        /** Whether every promise was kept. A mailer that is killed after the relay's 250 sends that mail twice. */
        public boolean isKept() {
            return lost + broken + replaced + sendsLost == 0;
        }
    }

    /** A slow relay, so that mailers are killed while they send. */
    public static ScriptedRelay relay() {
        return new ScriptedRelay(new ScriptedRelay.Script() {
            @Override
            public String data(ScriptedRelay.Mail mail) {
                try {
                    TimeUnit.NANOSECONDS.sleep(RELAY_TAKES.toNanos());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return "250 2.0.0 queued";
            }
        });
    }

    /**
     * Runs a fault under load, and waits until every mail is settled.
     *
     * @param relay of the stack's mailers
     * @param lasting how long parts are away
     */
    public static Result run(ReplicatedStack stack, ScriptedRelay relay, Fault fault, Duration lasting)
            throws Exception {
        try (Api api = new Api(stack)) {
            return new Round(stack, api, relay).run(fault, lasting);
        }
    }

    private Result run(Fault fault, Duration lasting) throws Exception {
        List<String> addresses = addresses(Traffic.MAILS_PER_SECOND * fault.secondsMax(lasting));
        Traffic traffic = new Traffic(api, stack.port(Port.SMTP));
        AtomicLong begin = new AtomicLong();
        traffic.run(addresses, () -> {
            TimeUnit.NANOSECONDS.sleep(BEFORE.toNanos());
            begin.set(System.nanoTime());
            fault.happen(stack, lasting);
            TimeUnit.NANOSECONDS.sleep(AFTER.toNanos());
            return null;
        });
        int unavailable = api.unavailable();
        int failed = api.failed();
        awaitSent(traffic);
        List<Traffic.Mail> mails = List.copyOf(traffic.mails());
        int[] wrong = read(mails);
        Map<String, List<Long>> sent = sent();
        int sendsLost = 0;
        int sendsTwice = 0;
        long slowest = 0;
        for (Traffic.Send send : traffic.sends()) {
            List<Long> times = sent.getOrDefault(send.addressId(), List.of());
            sendsLost += times.isEmpty() ? 1 : 0;
            sendsTwice += times.size() > 1 ? 1 : 0;
            slowest = Math.max(slowest, times.isEmpty() ? 0 : times.getLast() - send.acceptedNanos());
        }
        return new Result(
                mails.size(),
                wrong[0],
                wrong[1],
                wrong[2] + secondMails(mails),
                traffic.sends().size(),
                sendsLost,
                sendsTwice,
                gap(mails, begin.get()) / NANOS_IN_SECOND,
                mails.stream().mapToLong(Traffic.Mail::visibleAfterNanos).max().orElse(0) / NANOS_IN_SECOND,
                slowest / NANOS_IN_SECOND,
                traffic.refused(),
                traffic.lostReplies(),
                unavailable,
                failed);
    }

    private List<String> addresses(int count) throws Exception {
        List<String> ids = new ArrayList<>();
        Semaphore clients = new Semaphore(CLIENTS);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> created = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                created.add(threads.submit(() -> {
                    clients.acquire();
                    try {
                        Optional<String> id = api.createAddress();
                        while (id.isEmpty()) {
                            // The plan has a rate limit.
                            TimeUnit.NANOSECONDS.sleep(POLL_EVERY.toNanos());
                            id = api.createAddress();
                        }
                        return id.get();
                    } finally {
                        clients.release();
                    }
                }));
            }
            for (Future<String> one : created) {
                ids.add(one.get());
            }
        }
        // Those before the fault are not counted.
        api.unavailable();
        api.failed();
        return ids;
    }

    /** Waits until the relay has each mail, or the time for lost ones is over. */
    private void awaitSent(Traffic traffic) throws InterruptedException {
        long deadline = System.nanoTime() + SENT_WITHIN.toNanos();
        while (System.nanoTime() < deadline) {
            Map<String, List<Long>> sent = sent();
            if (traffic.sends().stream().allMatch(send -> sent.containsKey(send.addressId()))) {
                return;
            }
            TimeUnit.NANOSECONDS.sleep(POLL_EVERY.toNanos());
        }
    }

    /** When the relay took the mails of each address. */
    private Map<String, List<Long>> sent() {
        Map<String, List<Long>> sent = new HashMap<>();
        for (ScriptedRelay.Mail mail : relay.taken()) {
            String id = mail.from().substring(0, mail.from().indexOf('@'));
            sent.computeIfAbsent(id, _ -> new ArrayList<>()).add(mail.atNanos());
        }
        return sent;
    }

    /** The longest time without a 250 since the fault began. */
    private static long gap(List<Traffic.Mail> mails, long begin) {
        long[] times = mails.stream()
                .mapToLong(Traffic.Mail::acceptedNanos)
                .filter(accepted -> accepted >= begin)
                .sorted()
                .toArray();
        long longest = 0;
        long last = begin;
        for (long accepted : times) {
            longest = Math.max(longest, accepted - last);
            last = accepted;
        }
        return longest;
    }

    /** How many mails are lost, broken and replaced. */
    private int[] read(List<Traffic.Mail> mails) throws InterruptedException {
        int[] wrong = new int[3];
        for (Traffic.Mail mail : mails) {
            Optional<byte[]> stored = readWithin(mail.addressId());
            if (stored.isEmpty()) {
                wrong[0]++;
            } else if (!endsWith(stored.get(), mail.content().getBytes(StandardCharsets.US_ASCII))) {
                boolean isIt = new String(stored.get(), StandardCharsets.US_ASCII).contains(mail.addressId());
                wrong[isIt ? 1 : 2]++;
            }
        }
        return wrong;
    }

    /** A mail that was not polled for may still be on its way. */
    private Optional<byte[]> readWithin(String id) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        Optional<byte[]> stored = api.mail(id);
        while (stored.isEmpty() && System.nanoTime() < deadline) {
            TimeUnit.NANOSECONDS.sleep(POLL_EVERY.toNanos());
            stored = api.mail(id);
        }
        return stored;
    }

    private static boolean endsWith(byte[] stored, byte[] sent) {
        int from = stored.length - sent.length;
        return from >= 0 && Arrays.equals(stored, from, stored.length, sent, 0, sent.length);
    }

    private int secondMails(List<Traffic.Mail> mails) throws Exception {
        try (Connection connection = stack.database().connect();
                PreparedStatement select = connection.prepareStatement(SECOND_MAILS)) {
            Object[] ids = mails.stream().map(Traffic.Mail::addressId).toArray();
            select.setArray(1, connection.createArrayOf("text", ids));
            try (ResultSet rows = select.executeQuery()) {
                rows.next();
                return rows.getInt(1);
            }
        }
    }
}
