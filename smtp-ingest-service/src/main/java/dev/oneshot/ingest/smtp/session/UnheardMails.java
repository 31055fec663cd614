package dev.oneshot.ingest.smtp.session;

import dev.oneshot.ingest.smtp.ReversePath;
import dev.oneshot.ingest.smtp.data.MessageFingerprint;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Stored mails whose 250 may be lost: the connection broke, or the client got 451 though Kafka has the mail. A retry
 * must not bounce with "has had its one mail".
 *
 * <p>Only this node knows them. Bounded in number and time; the oldest are forgotten first. Safe for any number of
 * threads.
 */
public final class UnheardMails {

    private final int max;
    private final Duration kept;
    // The oldest first.
    private final LinkedHashMap<String, Entry> byAddress = new LinkedHashMap<>();

    private record Entry(MessageFingerprint fingerprint, Instant until) {}

    /**
     * @param max the most that are remembered
     * @param kept how long each is remembered
     */
    public UnheardMails(int max, Duration kept) {
        if (max < 1 || !kept.isPositive()) {
            throw new IllegalArgumentException("at least one mail, for some time");
        }
        this.max = max;
        this.kept = kept;
    }

    synchronized void remember(String addressId, MessageFingerprint fingerprint, Instant now) {
        byAddress.putLast(addressId, new Entry(fingerprint, now.plus(kept)));
        dropOld(now);
    }

    synchronized void forget(String addressId) {
        byAddress.remove(addressId);
    }

    /** Whether this sender may have sent the mail of the address and not received its 250. */
    synchronized boolean mayComeAgain(String addressId, ReversePath reversePath, Instant now) {
        MessageFingerprint fingerprint = find(addressId, now);
        return fingerprint != null && fingerprint.reversePath().equals(reversePath.text());
    }

    /** Whether this is the stored mail of the address. */
    synchronized boolean contain(String addressId, MessageFingerprint fingerprint, Instant now) {
        return fingerprint.equals(find(addressId, now));
    }

    private @Nullable MessageFingerprint find(String addressId, Instant now) {
        dropOld(now);
        Entry entry = byAddress.get(addressId);
        return entry == null ? null : entry.fingerprint();
    }

    private void dropOld(Instant now) {
        while (!byAddress.isEmpty()
                && (byAddress.size() > max
                        || !byAddress.firstEntry().getValue().until().isAfter(now))) {
            byAddress.pollFirstEntry();
        }
    }
}
