package dev.oneshot.api.account;

import dev.oneshot.contracts.address.SizeClass;

/**
 * The limits of an account.
 *
 * @param name as accounts carry it
 * @param addressesPerMonth included in a billing cycle, at least 0
 * @param ttlSecondsMax the longest lifetime of an address
 * @param sizeClass the largest e-mail and the largest attachment, as the address id carries them
 * @param requestsPerSecond in the long run
 * @param burst requests at once after a pause
 */
public record Plan(
        String name,
        long addressesPerMonth,
        int ttlSecondsMax,
        SizeClass sizeClass,
        int requestsPerSecond,
        int burst) {}
