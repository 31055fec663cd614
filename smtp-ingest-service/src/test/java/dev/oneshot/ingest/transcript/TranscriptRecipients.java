package dev.oneshot.ingest.transcript;

import dev.oneshot.ingest.smtp.Mailbox;
import dev.oneshot.ingest.smtp.RecipientPolicy;
import dev.oneshot.ingest.smtp.UnheardMails;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The recipients of every transcript, in the domain {@code in.example}: {@code open…} takes anything, {@code small…} a
 * hundred octets, {@code medium…} a thousand, {@code files30}
 * attachments of thirty octets, {@code used…} has had its mail, {@code once…} has from the second time on
 * that it is asked for, every other is unknown.
 */
public final class TranscriptRecipients implements RecipientPolicy {

    private static final long SMALL = 100;
    private static final long MEDIUM = 1_000;

    private final UnheardMails unheardMails;
    private final Set<String> asked = ConcurrentHashMap.newKeySet();

    /** Nobody has been asked for yet, and every sender has heard. */
    public TranscriptRecipients() {
        this(new UnheardMails(10, Duration.ofHours(1)));
    }

    /** With senders who have not heard. */
    public TranscriptRecipients(UnheardMails unheardMails) {
        this.unheardMails = unheardMails;
    }

    @Override
    public Verdict decide(Mailbox mailbox) {
        String id = mailbox.localPart();
        if (!mailbox.domain().equalsIgnoreCase("in.example")) {
            return new Verdict.Refused(Refusal.OTHER_DOMAIN);
        }
        if (id.startsWith("open")) {
            return new Verdict.Accepted(id, Long.MAX_VALUE, Long.MAX_VALUE);
        }
        if (id.startsWith("files")) {
            return new Verdict.Accepted(id, Long.MAX_VALUE, Long.parseLong(id.substring("files".length())));
        }
        if (id.startsWith("small")) {
            return new Verdict.Accepted(id, SMALL, Long.MAX_VALUE);
        }
        if (id.startsWith("medium")) {
            return new Verdict.Accepted(id, MEDIUM, Long.MAX_VALUE);
        }
        if (id.startsWith("used") || (id.startsWith("once") && !asked.add(id))) {
            return new Verdict.Used(id, MEDIUM, Long.MAX_VALUE);
        }
        return id.startsWith("once")
                ? new Verdict.Accepted(id, MEDIUM, Long.MAX_VALUE)
                : new Verdict.Refused(Refusal.NO_SUCH_ADDRESS);
    }

    @Override
    public UnheardMails unheardMails() {
        return unheardMails;
    }
}
