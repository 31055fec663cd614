package dev.oneshot.ingest.smtp.session;

import dev.oneshot.ingest.smtp.Envelope;
import dev.oneshot.ingest.smtp.Recipient;
import dev.oneshot.ingest.smtp.ReversePath;
import java.util.LinkedHashMap;

/**
 * Senders whose 250 may be lost: the connection broke, or the client got 451 though Kafka has the mail. A retry must not
 * bounce because the address has its one mail, so it is accepted, and the database keeps the first.
 *
 * <p>Only this node knows them. Bounded in number; the oldest are forgotten first. Safe for any number of threads.
 */
public final class ExpectedRetries {

    /** At about 250 bytes each. */
    static final int MAX = 20_000;

    private final LinkedHashMap<String, ReversePath> senders = new LinkedHashMap<>();

    synchronized void add(Envelope envelope) {
        for (Recipient recipient : envelope.recipients()) {
            senders.putLast(recipient.addressId(), envelope.reversePath());
            if (senders.size() > MAX) {
                senders.pollFirstEntry();
            }
        }
    }

    /** Whether this sender may have sent the mail of the address without getting its 250. */
    synchronized boolean contains(String addressId, ReversePath reversePath) {
        return reversePath.equals(senders.get(addressId));
    }
}
