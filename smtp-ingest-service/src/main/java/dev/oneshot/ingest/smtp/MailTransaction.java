package dev.oneshot.ingest.smtp;

import java.time.Instant;

/**
 * A message, all of it, waiting to be stored. Its octets belong to whoever delivers it until the outcome has been
 * given to {@link SmtpSession#settle}; nobody changes them any more.
 *
 * @param id names the transaction in logs, in {@code Received} and in the reply
 * @param octets our trace fields, then the content as it came
 * @param receivedAt when the end of the data was seen
 */
public record MailTransaction(String id, Envelope envelope, MessageOctets octets, Instant receivedAt) {}
