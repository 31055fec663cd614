package dev.oneshot.ingest.transcript;

import dev.oneshot.ingest.smtp.Mailbox;
import dev.oneshot.ingest.smtp.RecipientPolicy;

/**
 * The recipients of every transcript, in the domain {@code in.example}: {@code open…} takes anything, {@code small…} a
 * hundred octets, {@code medium…} a thousand, {@code used…} has had its mail, every other is unknown.
 */
public final class TranscriptRecipients implements RecipientPolicy {

    private static final long SMALL = 100;
    private static final long MEDIUM = 1_000;

    @Override
    public Verdict decide(Mailbox mailbox) {
        String id = mailbox.localPart();
        if (!mailbox.domain().equalsIgnoreCase("in.example")) {
            return new Verdict.Refused(Refusal.OTHER_DOMAIN);
        }
        if (id.startsWith("open")) {
            return new Verdict.Accepted(id, Long.MAX_VALUE);
        }
        if (id.startsWith("small")) {
            return new Verdict.Accepted(id, SMALL);
        }
        if (id.startsWith("medium")) {
            return new Verdict.Accepted(id, MEDIUM);
        }
        return new Verdict.Refused(id.startsWith("used") ? Refusal.ALREADY_USED : Refusal.NO_SUCH_ADDRESS);
    }
}
