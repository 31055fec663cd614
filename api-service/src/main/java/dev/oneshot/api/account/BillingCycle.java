package dev.oneshot.api.account;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;

/**
 * One of an account's months, counted from its creation; in a shorter month the day is clamped to the last one, and
 * the next longer month has the account's own day again.
 *
 * @param number 0 is the first
 * @param ends the first instant of the next one, a whole second
 */
public record BillingCycle(int number, Instant ends) {

    /** The cycle at an instant, of an account created at an earlier one. */
    public static BillingCycle at(Instant accountCreatedAt, Instant now) {
        // In whole seconds, as in responses: a client that returns at that second finds the next cycle.
        ZonedDateTime anchor = accountCreatedAt.truncatedTo(ChronoUnit.SECONDS).atZone(ZoneOffset.UTC);
        long number = Math.max(0, ChronoUnit.MONTHS.between(anchor, now.atZone(ZoneOffset.UTC)));
        // MONTHS.between counts no month from 31 January to 28 February.
        if (!anchor.plusMonths(number + 1).toInstant().isAfter(now)) {
            number++;
        }
        return new BillingCycle(
                Math.toIntExact(number), anchor.plusMonths(number + 1).toInstant());
    }
}
