package dev.oneshot.mailer.closed;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The ids that were deleted before they expired, by the hour in which they would have expired. Bounded: when there are
 * too many, those that expire first are forgotten, whose mail is then refused for its expiry a little later, or sent.
 *
 * <p>Safe for use by many threads.
 */
public final class DeletedAddresses {

    private final int idsMax;
    private final ConcurrentSkipListMap<Instant, Set<String>> byHour = new ConcurrentSkipListMap<>();

    /** @param idsMax the most ids to remember; each takes about 150 octets */
    public DeletedAddresses(int idsMax) {
        this.idsMax = idsMax;
    }

    /** Remembers an id until the hour of its expiry has passed. */
    public void add(String addressId, Instant until, Instant now) {
        forgetBefore(now);
        if (until.isAfter(now)) {
            byHour.computeIfAbsent(hour(until), hour -> ConcurrentHashMap.newKeySet())
                    .add(addressId);
            while (size() > idsMax) {
                byHour.pollFirstEntry();
            }
        }
    }

    private void forgetBefore(Instant now) {
        Iterator<Map.Entry<Instant, Set<String>>> passed =
                byHour.headMap(hour(now), false).entrySet().iterator();
        while (passed.hasNext()) {
            passed.next();
            passed.remove();
        }
    }

    /** Whether this id was deleted. */
    public boolean contains(String addressId, Instant expiresAt) {
        Set<String> ids = byHour.get(hour(expiresAt));
        return ids != null && ids.contains(addressId);
    }

    /** How many ids are remembered. */
    public int size() {
        return byHour.values().stream().mapToInt(Collection::size).sum();
    }

    private static Instant hour(Instant instant) {
        return instant.truncatedTo(ChronoUnit.HOURS);
    }
}
