package dev.oneshot.ingest.smtp.session;

import dev.oneshot.ingest.smtp.Recipient;
import dev.oneshot.ingest.smtp.ReversePath;
import dev.oneshot.ingest.smtp.data.MessageFingerprint;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * Mails whose 250 may be lost: the connection broke, or the client got 451 though Kafka has the mail. A retry must not
 * bounce because the address has its one mail, so it is accepted, and the database keeps the first.
 *
 * <p>Only this node knows them. Bounded in number and time; the oldest are forgotten first. Safe for any number of
 * threads.
 */
public final class ExpectedRetries {

    /** At about 250 bytes each. */
    static final int MAX = 20_000;

    /** No address lives longer. */
    static final Duration KEPT = Duration.ofDays(1);

    private final InstantSource clock;
    private final SequencedMap<String, Mail> byAddress = new LinkedHashMap<>();

    private record Mail(MessageFingerprint fingerprint, Instant until) {}

    public ExpectedRetries(InstantSource clock) {
        this.clock = clock;
    }

    synchronized void add(List<Recipient> recipients, MessageFingerprint mail) {
        Instant until = clock.instant().plus(KEPT);
        for (Recipient recipient : recipients) {
            byAddress.putLast(recipient.addressId(), new Mail(mail, until));
            if (byAddress.size() > MAX) {
                byAddress.pollFirstEntry();
            }
        }
    }

    /** Whether this sender may have sent the mail of the address without getting its 250. */
    synchronized boolean expects(String addressId, ReversePath reversePath) {
        MessageFingerprint mail = find(addressId);
        return mail != null && mail.reversePath().equals(reversePath.text());
    }

    /** Whether this is the mail of the address, whose 250 may be lost. */
    synchronized boolean contain(String addressId, MessageFingerprint mail) {
        return mail.equals(find(addressId));
    }

    synchronized void forget(String addressId) {
        byAddress.remove(addressId);
    }

    private @Nullable MessageFingerprint find(String addressId) {
        Mail entry = byAddress.get(addressId);
        return entry != null && entry.until().isAfter(clock.instant()) ? entry.fingerprint() : null;
    }
}
