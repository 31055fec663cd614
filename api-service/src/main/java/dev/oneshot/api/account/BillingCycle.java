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

    /** The cycle of an account that was created then, at some later instant. */
    public static BillingCycle at(Instant accountCreatedAt, Instant now) {
        // In whole seconds, as clients are told: one that comes again when it was told to finds the next cycle begun.
        ZonedDateTime anchor = accountCreatedAt.truncatedTo(ChronoUnit.SECONDS).atZone(ZoneOffset.UTC);
        long number = Math.max(0, ChronoUnit.MONTHS.between(anchor, now.atZone(ZoneOffset.UTC)));
        // MONTHS.between does not know that the 28th of February may stand for the 31st: look at both neighbours.
        while (!anchor.plusMonths(number + 1).toInstant().isAfter(now)) {
            number++;
        }
        while (number > 0 && anchor.plusMonths(number).toInstant().isAfter(now)) {
            number--;
        }
        return new BillingCycle(
                Math.toIntExact(number), anchor.plusMonths(number + 1).toInstant());
    }
}
