package dev.oneshot.ingest.smtp;

import org.jspecify.annotations.Nullable;

/**
 * Where a message comes from.
 *
 * @param helloName the client's name in EHLO or HELO; not verified
 * @param extended whether it was EHLO
 * @param tls null without TLS
 */
public record Origin(
        Client client,
        String helloName,
        boolean extended,
        @Nullable TlsParameters tls) {}
