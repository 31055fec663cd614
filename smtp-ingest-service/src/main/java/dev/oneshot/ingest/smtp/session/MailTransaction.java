package dev.oneshot.ingest.smtp.session;

import dev.oneshot.ingest.smtp.Envelope;
import dev.oneshot.ingest.smtp.data.MessageOctets;
import java.time.Instant;

/**
 * A complete message to be stored. Until {@link SmtpSession#settle} has the outcome, its octets belong to the
 * delivery and do not change.
 *
 * @param id the transaction's name in logs, in {@code Received} and in the reply
 * @param octets the trace fields, then the content as received
 * @param receivedAt when the end of the data was read
 */
public record MailTransaction(String id, Envelope envelope, MessageOctets octets, Instant receivedAt) {}
