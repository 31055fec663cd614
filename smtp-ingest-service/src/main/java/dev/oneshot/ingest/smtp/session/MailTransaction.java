package dev.oneshot.ingest.smtp.session;

import dev.oneshot.ingest.smtp.Envelope;
import dev.oneshot.ingest.smtp.Origin;
import dev.oneshot.ingest.smtp.data.MessageOctets;
import java.time.Instant;

/**
 * A complete message to be stored. Until {@link SmtpSession#settle} has the outcome, its octets belong to the
 * delivery and do not change.
 *
 * @param id the transaction's name in logs, in {@code Received} and in the reply
 * @param origin the client that sent it
 * @param octets the trace fields, then the content as received
 * @param receivedAt when the end of the data was read
 * @param verdicts the results of authentication, for logs; empty if nothing was checked
 */
public record MailTransaction(
        String id, Origin origin, Envelope envelope, MessageOctets octets, Instant receivedAt, String verdicts) {

    public MailTransaction withVerdicts(String found) {
        return new MailTransaction(id, origin, envelope, octets, receivedAt, found);
    }
}
