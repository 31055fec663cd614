package dev.oneshot.ingest.smtp;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Mails that are stored, or may be, though their senders have not heard so: their connection was gone, or they heard a
 * 451 and Kafka had the mail all the same. Such a sender comes again with the same mail, and a "has had its one mail"
 * would make him report a failure that there was not.
 *
 * <p>Known to this node only, bounded in number and time; of too many the oldest are forgotten. Safe for any number of
 * threads.
 */
public final class UnheardMails {

    private final int max;
    private final Duration kept;
    private final Map<String, Entry> byAddress = new HashMap<>();
    private final Queue<Entry> byAge = new ArrayDeque<>();

    private record Entry(String addressId, MailPrint print, Instant until) {}

    /**
     * None yet.
     *
     * @param max the most that are remembered
     * @param kept for how long each is
     */
    public UnheardMails(int max, Duration kept) {
        if (max < 1 || !kept.isPositive()) {
            throw new IllegalArgumentException("at least one mail, for some time");
        }
        this.max = max;
        this.kept = kept;
    }

    synchronized void remember(String addressId, MailPrint print, Instant now) {
        Entry entry = new Entry(addressId, print, now.plus(kept));
        byAddress.put(addressId, entry);
        byAge.add(entry);
        dropOld(now);
    }

    synchronized void forget(String addressId) {
        byAddress.remove(addressId);
    }

    /** Whether this sender may have sent the mail of the address without having heard that it is there. */
    synchronized boolean mayComeAgain(String addressId, ReversePath reversePath, Instant now) {
        MailPrint print = find(addressId, now);
        return print != null && print.reversePath().equals(reversePath.text());
    }

    /** Whether this is the mail that its sender has not heard of. */
    synchronized boolean contain(String addressId, MailPrint print, Instant now) {
        return print.equals(find(addressId, now));
    }

    private @Nullable MailPrint find(String addressId, Instant now) {
        dropOld(now);
        Entry entry = byAddress.get(addressId);
        return entry == null ? null : entry.print();
    }

    private void dropOld(Instant now) {
        for (Entry oldest = byAge.peek();
                oldest != null && (byAge.size() > max || !oldest.until().isAfter(now));
                oldest = byAge.peek()) {
            byAge.remove();
            // Unless the address has got a younger entry since.
            byAddress.remove(oldest.addressId(), oldest);
        }
    }
}
