package dev.oneshot.ingest.recipient;

import dev.oneshot.contracts.address.AddressId;
import dev.oneshot.contracts.event.AddressClosed;
import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The addresses that take no mail though they have not expired, by hour of expiry, so that an hour that has passed is
 * dropped whole. Holds 63 bits of an id: two of ten million live ids share them with a probability of 10⁻⁵, and one
 * that is asked for is taken for a closed one with 10⁻¹².
 *
 * <p>One thread adds and drops; any number ask, and none waits.
 */
@Singleton
final class ClosedAddresses {

    private static final long HOUR_SECONDS = Duration.ofHours(1).toSeconds();
    // 13 characters of five bits fill a long; the last ones are random and signature, so they are evenly spread.
    private static final int FINGERPRINT_CHARACTERS = 13;

    private final ConcurrentMap<Long, Fingerprints> byHour = new ConcurrentHashMap<>();
    private final int max;
    private volatile int size;

    ClosedAddresses(RecipientConfig config) {
        this.max = config.closedAddressesMax();
        if (max < 1) {
            throw new ConfigurationException("oneshot.recipient.closed-addresses-max must be at least 1, not " + max);
        }
    }

    /** What is known of an address. */
    enum State {
        OPEN,
        RECEIVED,
        DELETED
    }

    State state(AddressId id) {
        Fingerprints bucket = byHour.get(hour(id.expiresBy()));
        long entry = bucket == null ? 0 : bucket.find(fingerprint(id));
        if (entry == 0) {
            return State.OPEN;
        }
        return (entry & 1) == 0 ? State.RECEIVED : State.DELETED;
    }

    /** Remembers an address; false if there is no room for it. */
    boolean add(AddressId id, AddressClosed.Reason reason) {
        if (size >= max && state(id) == State.OPEN) {
            return false;
        }
        Fingerprints bucket = byHour.computeIfAbsent(hour(id.expiresBy()), _ -> new Fingerprints());
        if (bucket.put(fingerprint(id), reason == AddressClosed.Reason.DELETED)) {
            size = byHour.values().stream().mapToInt(Fingerprints::size).sum();
        }
        return true;
    }

    /** Forgets the hours that have passed. */
    void dropExpired(Instant now) {
        long present = hour(now);
        if (byHour.keySet().removeIf(hour -> hour < present)) {
            size = byHour.values().stream().mapToInt(Fingerprints::size).sum();
        }
    }

    int size() {
        return size;
    }

    private static long hour(Instant instant) {
        return Math.floorDiv(instant.getEpochSecond(), HOUR_SECONDS);
    }

    private static long fingerprint(AddressId id) {
        String text = id.text();
        long bits = 0;
        for (int i = text.length() - FINGERPRINT_CHARACTERS; i < text.length(); i++) {
            char c = text.charAt(i);
            bits = bits << 5 | (c >= 'a' ? c - 'a' : c - '2' + 26);
        }
        return bits;
    }
}
