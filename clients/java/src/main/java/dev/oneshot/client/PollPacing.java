package dev.oneshot.client;

import java.net.http.HttpHeaders;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Spreads the polls of all waits of a client, so that together they use at most {@value #SHARE} of the account's rate. The service
 * states the rate in each response (draft-ietf-httpapi-ratelimit-headers).
 */
final class PollPacing {

    private static final double SHARE = 0.8;
    private static final Pattern POLICY = Pattern.compile(";\\s*q=(\\d{1,9})\\s*;\\s*w=(\\d{1,9})");

    private long nanosBetween;
    private long next = System.nanoTime();

    synchronized void learn(HttpHeaders response) {
        Matcher policy = POLICY.matcher(response.firstValue("RateLimit-Policy").orElse(""));
        if (policy.find()) {
            double perSecond = Math.max(1, Long.parseLong(policy.group(1)))
                    / (double) Math.max(1, Long.parseLong(policy.group(2)));
            nanosBetween = (long) (TimeUnit.SECONDS.toNanos(1) / (SHARE * perSecond));
        }
    }

    /** The {@link System#nanoTime()} of the caller's turn, from now on. */
    synchronized long turn() {
        long now = System.nanoTime();
        long turn = next - now > 0 ? next : now;
        next = turn + nanosBetween;
        return turn;
    }
}
