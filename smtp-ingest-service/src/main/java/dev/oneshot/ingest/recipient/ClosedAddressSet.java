package dev.oneshot.ingest.recipient;

import dev.oneshot.contracts.address.AddressId;
import dev.oneshot.contracts.event.AddressClosed;
import dev.oneshot.contracts.setting.ValidSetting;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Addresses that accept no mail before their expiry, by hour of expiry, so that each hour is dropped as a whole. It
 * holds 63 bits of an id: two of ten million live ids share them with a probability of 10⁻⁵, and one live id is taken
 * for a closed one with 10⁻¹².
 *
 * <p>One thread at a time adds or drops; any number read without waiting.
 */
@Singleton
final class ClosedAddressSet {

    private static final long HOUR_SECONDS = Duration.ofHours(1).toSeconds();
    // 13 characters of five bits fill a long. The last ones are random or signature bits, so they are evenly
    // distributed.
    private static final int FINGERPRINT_CHARACTERS = 13;

    private final ConcurrentMap<Long, Fingerprints> byHour = new ConcurrentHashMap<>();
    private final int max;

    ClosedAddressSet(RecipientConfig config) {
        this.max = ValidSetting.atLeast("oneshot.recipient.closed-addresses-max", config.closedAddressesMax(), 1);
    }

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

    /** Adds an address that has its mail, unless it is closed already or the set is full. */
    synchronized void addReceived(AddressId id) {
        if (state(id) == State.OPEN) {
            var _ = add(id, AddressClosed.Reason.RECEIVED);
        }
    }

    /** Adds an address; false if the set is full. */
    synchronized boolean add(AddressId id, AddressClosed.Reason reason) {
        if (size() >= max && state(id) == State.OPEN) {
            return false;
        }
        byHour.computeIfAbsent(hour(id.expiresBy()), _ -> new Fingerprints())
                .put(fingerprint(id), reason == AddressClosed.Reason.DELETED);
        return true;
    }

    /** Drops the hours that have passed. */
    synchronized void dropExpired(Instant now) {
        long present = hour(now);
        byHour.keySet().removeIf(hour -> hour < present);
    }

    synchronized int size() {
        return byHour.values().stream().mapToInt(Fingerprints::size).sum();
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
