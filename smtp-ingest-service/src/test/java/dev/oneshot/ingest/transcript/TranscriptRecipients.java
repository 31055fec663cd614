package dev.oneshot.ingest.transcript;

import dev.oneshot.ingest.smtp.ForwardPath;
import dev.oneshot.ingest.smtp.Mailbox;
import dev.oneshot.ingest.smtp.Recipient;
import dev.oneshot.ingest.smtp.ReversePath;
import dev.oneshot.ingest.smtp.session.RecipientPolicy;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The recipients of every transcript, in the domain {@code in.example}: {@code open…} takes anything, {@code small…} a hundred
 * octets, {@code medium…} a thousand, {@code files30} attachments of thirty octets, {@code used…} has had its mail, {@code once…}
 * has had it from the third query on (the first is at RCPT, the next at the end of the message), {@code taken…} from the second on,
 * {@code gone…} is unknown from then on, {@code sending…} takes notifications with a null reverse-path only, and all others are
 * unknown.
 */
public final class TranscriptRecipients implements RecipientPolicy {

    private static final long SMALL = 100;
    private static final long MEDIUM = 1_000;

    private final ConcurrentMap<String, Integer> asked = new ConcurrentHashMap<>();

    @Override
    public Decision decide(Mailbox mailbox, ReversePath reversePath) {
        String id = mailbox.localPart();
        if (!mailbox.domain().equalsIgnoreCase("in.example")) {
            return Decision.Refused.OTHER_DOMAIN;
        }
        if (ForwardPath.isRole(id)) {
            return Decision.Refused.POSTMASTER;
        }
        int times = asked.merge(id, 1, Integer::sum);
        return switch (id.replaceFirst("[^a-z].*", "")) {
            case "open" -> accepted(mailbox, Long.MAX_VALUE, Long.MAX_VALUE, false);
            case "files" ->
                id.matches("files[0-9]{1,9}")
                        ? accepted(mailbox, Long.MAX_VALUE, Long.parseLong(id.substring("files".length())), false)
                        : Decision.Refused.NO_SUCH_ADDRESS;
            case "small" -> accepted(mailbox, SMALL, Long.MAX_VALUE, false);
            case "medium" -> accepted(mailbox, MEDIUM, Long.MAX_VALUE, false);
            case "used" -> accepted(mailbox, MEDIUM, Long.MAX_VALUE, true);
            case "once" -> accepted(mailbox, MEDIUM, Long.MAX_VALUE, times > 2);
            case "taken" -> accepted(mailbox, MEDIUM, Long.MAX_VALUE, times > 1);
            case "gone" ->
                times == 1 ? accepted(mailbox, MEDIUM, Long.MAX_VALUE, false) : Decision.Refused.NO_SUCH_ADDRESS;
            case "sending" ->
                reversePath instanceof ReversePath.Null
                        ? new Decision.Accepted(
                                new Recipient(id, mailbox, MEDIUM, Long.MAX_VALUE, false, Recipient.Kind.SENDING))
                        : Decision.Refused.NO_SUCH_ADDRESS;
            default -> Decision.Refused.NO_SUCH_ADDRESS;
        };
    }

    private static Decision accepted(Mailbox mailbox, long messageBytesMax, long attachmentBytesMax, boolean used) {
        return new Decision.Accepted(
                new Recipient(mailbox.localPart(), mailbox, messageBytesMax, attachmentBytesMax, used));
    }

    @Override
    public void stored(List<Recipient> recipients) {
        // The names say which addresses have had their mail.
    }
}
