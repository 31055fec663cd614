package dev.oneshot.fuzz;

import dev.oneshot.ingest.smtp.Mailbox;
import dev.oneshot.ingest.smtp.RecipientPolicy;
import dev.oneshot.ingest.smtp.UnheardMails;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Recipients by the beginning of their name; {@code once…} is used from the third time on that it is asked for. */
final class PlayedRecipients implements RecipientPolicy {

    private static final int SMALL = 100;

    private final UnheardMails unheardMails = new UnheardMails(2, Duration.ofHours(1));
    private final Map<String, Integer> asked = new HashMap<>();

    @Override
    public Verdict decide(Mailbox mailbox) {
        String id = mailbox.localPart();
        if (!mailbox.domain().equalsIgnoreCase("in.example")) {
            return new Verdict.Refused(Refusal.OTHER_DOMAIN);
        } else if (id.startsWith("open")) {
            return new Verdict.Accepted(id, Long.MAX_VALUE, Long.MAX_VALUE);
        } else if (id.startsWith("small")) {
            return new Verdict.Accepted(id, SMALL, SMALL);
        } else if (id.startsWith("used")) {
            return new Verdict.Used(id, Long.MAX_VALUE, Long.MAX_VALUE);
        } else if (id.startsWith("once")) {
            return asked.merge(id, 1, Integer::sum) > 2
                    ? new Verdict.Used(id, Long.MAX_VALUE, Long.MAX_VALUE)
                    : new Verdict.Accepted(id, Long.MAX_VALUE, Long.MAX_VALUE);
        } else {
            return new Verdict.Refused(Refusal.NO_SUCH_ADDRESS);
        }
    }

    @Override
    public UnheardMails unheardMails() {
        return unheardMails;
    }
}
