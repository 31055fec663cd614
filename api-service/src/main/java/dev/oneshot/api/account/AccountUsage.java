package dev.oneshot.api.account;

/**
 * What an account has used.
 *
 * @param cycle the billing cycle that {@code used} counts; an earlier one than the present means nothing is used yet
 * @param used addresses out of the cycle's allocation
 * @param creditsBought ever
 * @param creditsSpent ever, at most {@code creditsBought}
 */
public record AccountUsage(int cycle, long used, long creditsBought, long creditsSpent) {

    /** Addresses used in this billing cycle. */
    public long usedIn(int presentCycle) {
        return cycle == presentCycle ? used : 0;
    }

    /** Credits left. */
    public long credits() {
        return creditsBought - creditsSpent;
    }
}
