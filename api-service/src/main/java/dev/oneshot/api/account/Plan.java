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
        String name, long addressesPerMonth, int ttlSecondsMax, SizeClass sizeClass, int requestsPerSecond, int burst) {

    /** The addresses, names and types of a request, and its JSON. */
    private static final long REST_OF_REQUEST_BYTES = 256 * 1024;

    /** The largest request body that the plan can use: its largest e-mail in base64 (RFC 4648 §4), with the rest of the request. */
    public long bodyBytesMax() {
        return Math.ceilDiv(sizeClass.messageBytesMax(), 3) * 4L + REST_OF_REQUEST_BYTES;
    }
}
