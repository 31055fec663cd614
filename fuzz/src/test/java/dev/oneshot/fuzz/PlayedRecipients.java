package dev.oneshot.fuzz;

import dev.oneshot.ingest.smtp.Mailbox;
import dev.oneshot.ingest.smtp.Recipient;
import dev.oneshot.ingest.smtp.ReversePath;
import dev.oneshot.ingest.smtp.session.ExpectedRetries;
import dev.oneshot.ingest.smtp.session.RecipientPolicy;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/** Recipients by the prefix of their name; {@code once…} is used from the third lookup on. */
final class PlayedRecipients implements RecipientPolicy {

    private static final int SMALL = 100;

    private final ExpectedRetries expectedRetries = new ExpectedRetries(InstantSource.system());
    private final Map<String, Integer> asked = new HashMap<>();

    @Override
    public Verdict decide(Mailbox mailbox, ReversePath reversePath) {
        String id = mailbox.localPart();
        if (!mailbox.domain().equalsIgnoreCase("in.example")) {
            return new Verdict.Refused(Refusal.OTHER_DOMAIN);
        } else if (id.startsWith("open")) {
            return accepted(mailbox, Long.MAX_VALUE, Long.MAX_VALUE, false);
        } else if (id.startsWith("small")) {
            return accepted(mailbox, SMALL, SMALL, false);
        } else if (id.startsWith("used")) {
            return accepted(mailbox, Long.MAX_VALUE, Long.MAX_VALUE, true);
        } else if (id.startsWith("once")) {
            return asked.merge(id, 1, Integer::sum) > 2
                    ? accepted(mailbox, Long.MAX_VALUE, Long.MAX_VALUE, true)
                    : accepted(mailbox, Long.MAX_VALUE, Long.MAX_VALUE, false);
        } else {
            return new Verdict.Refused(Refusal.NO_SUCH_ADDRESS);
        }
    }

    private static Verdict accepted(Mailbox mailbox, long messageBytesMax, long attachmentBytesMax, boolean used) {
        return new Verdict.Accepted(
                new Recipient(mailbox.localPart(), mailbox, messageBytesMax, attachmentBytesMax, used));
    }

    @Override
    public ExpectedRetries expectedRetries() {
        return expectedRetries;
    }
}
