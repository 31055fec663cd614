package dev.oneshot.client;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Polls an address until its e-mail is there. For one thread. */
final class EmailWait {

    private static final Duration FIRST_INTERVAL = Duration.ofMillis(250);
    private static final Duration INTERVAL_MAX = Duration.ofSeconds(2);
    /** A poll may take this long even when the time is almost up. */
    private static final Duration LAST_POLL = Duration.ofSeconds(2);

    /** No address lives longer. */
    private static final Duration TIMEOUT_MAX = Duration.ofDays(1);

    private final Transport transport;
    private final PollPacing pacing;
    private final String id;
    private final Duration timeout;
    private final long start = System.nanoTime();
    private int polls;
    private @Nullable Address seen;
    private @Nullable String etag;

    EmailWait(Transport transport, PollPacing pacing, String id, Duration timeout) {
        this.transport = transport;
        this.pacing = pacing;
        this.id = id;
        this.timeout = timeout.compareTo(TIMEOUT_MAX) > 0 ? TIMEOUT_MAX : timeout;
    }

    /**
     * Returns the e-mail when it is there.
     *
     * @throws AwaitTimeoutException if the time is up
     * @throws ApiException if the address no longer exists, or the service rejects the request
     */
    Email run() throws InterruptedException {
        long interval = FIRST_INTERVAL.toNanos();
        while (true) {
            sleepUntil(Math.min(pacing.turn() - start, timeout.toNanos()));
            boolean last = nanosLeft() <= 0;
            Email email = poll(last);
            if (email != null) {
                return email;
            } else if (last) {
                throw timedOut(null);
            }
            long jittered = (long) (interval * ThreadLocalRandom.current().nextDouble(0.8, 1.2));
            Duration untilExpiry = seen == null ? INTERVAL_MAX : Duration.between(Instant.now(), seen.expiresAt());
            if (untilExpiry.toSeconds() < INTERVAL_MAX.toSeconds() && untilExpiry.toMillis() > 0) {
                jittered = Math.min(jittered, untilExpiry.toNanos());
            }
            sleepUntil(Math.min(System.nanoTime() - start + jittered, timeout.toNanos()));
            interval = Math.min(2 * interval, INTERVAL_MAX.toNanos());
        }
    }

    /** The e-mail, or null if it has not arrived. After a temporary failure also null, but the last poll throws. */
    private @Nullable Email poll(boolean last) throws InterruptedException {
        polls++;
        try {
            Address address = readAddress();
            if (address.mode() == Mode.SEND) {
                throw new IllegalArgumentException(address.address() + " sends, and receives nothing");
            }
            return address.status() == Status.RECEIVED
                    ? Json.of(transport.send(Transport.Call.of("GET", "/addresses/" + id + "/email"), TIMEOUT_MAX))
                            .email()
                    : null;
        } catch (OneshotException e) {
            ApiException error = e instanceof ApiException response ? response : null;
            boolean mayPass = e.getCause() instanceof IOException || (error != null && error.status() >= 500);
            if (mayPass && !last && nanosLeft() > 0) {
                return null;
            }
            boolean isTurnedAway = error != null && error.status() == 429 && nanosLeft() <= LAST_POLL.toNanos();
            boolean isReceived = seen != null && seen.status() == Status.RECEIVED;
            if (isReceived || !(mayPass || isTurnedAway)) {
                throw e;
            }
            throw timedOut(e);
        }
    }

    private Address readAddress() throws InterruptedException {
        Transport.Call call = Transport.Call.of("GET", "/addresses/" + id);
        Transport.Reply reply = transport.send(
                etag == null ? call : call.with("If-None-Match", etag),
                Duration.ofNanos(Math.max(nanosLeft(), LAST_POLL.toNanos())));
        if (reply.status() == 304 && seen != null) {
            return seen;
        }
        Address address = Json.of(reply).address();
        etag = reply.headers().firstValue("ETag").orElse(null);
        seen = address;
        return address;
    }

    private void sleepUntil(long nanosFromStart) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(nanosFromStart - (System.nanoTime() - start));
    }

    private long nanosLeft() {
        return timeout.toNanos() - (System.nanoTime() - start);
    }

    private AwaitTimeoutException timedOut(@Nullable Throwable cause) {
        String what = seen == null
                ? "the address was never read"
                : seen.address() + " is " + seen.status().name().toLowerCase(Locale.ROOT)
                        + (seen.label() == null ? "" : ", label \"" + seen.label() + "\"")
                        + ", and expires at " + seen.expiresAt();
        return new AwaitTimeoutException(
                "no e-mail for " + id + " in " + timeout.toMillis() / 1000.0 + " s (" + polls + " polls): " + what
                        + (cause == null ? "" : "; the last poll failed: " + cause.getMessage()),
                cause);
    }
}
