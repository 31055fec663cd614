package dev.oneshot.ingest.smtp.session;

import dev.oneshot.ingest.smtp.Recipient;
import dev.oneshot.ingest.smtp.ReversePath;
import dev.oneshot.ingest.smtp.data.MessageFingerprint;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Mails whose 250 may be lost: the connection broke, or the client got 451 though Kafka has the mail. A retry must not
 * bounce because the address has its one mail, so it is accepted, and the database keeps the first.
 *
 * <p>Only this node knows them. Bounded in number; the oldest are forgotten first. Safe for any number of threads.
 */
public final class ExpectedRetries {

    /** At about 250 bytes each. */
    static final int MAX = 20_000;

    private final LinkedHashMap<String, MessageFingerprint> mails = new LinkedHashMap<>();

    synchronized void add(List<Recipient> recipients, MessageFingerprint mail) {
        for (Recipient recipient : recipients) {
            mails.putLast(recipient.addressId(), mail);
            if (mails.size() > MAX) {
                mails.pollFirstEntry();
            }
        }
    }

    /** Whether this sender may have sent the mail of the address without getting its 250. */
    synchronized boolean expects(String addressId, ReversePath reversePath) {
        MessageFingerprint mail = mails.get(addressId);
        return mail != null && mail.reversePath().equals(reversePath.text());
    }

    /** Whether this is the mail of the address, whose 250 may be lost. */
    synchronized boolean contain(String addressId, MessageFingerprint mail) {
        return mail.equals(mails.get(addressId));
    }

    synchronized void forget(String addressId) {
        mails.remove(addressId);
    }
}
