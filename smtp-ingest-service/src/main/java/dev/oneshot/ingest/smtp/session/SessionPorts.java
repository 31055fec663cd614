package dev.oneshot.ingest.smtp.session;

import dev.oneshot.ingest.smtp.SmtpPolicy;
import java.time.InstantSource;

/** What all sessions of a server share. */
public record SessionPorts(
        SmtpPolicy policy,
        RecipientPolicy recipients,
        ExpectedRetries expectedRetries,
        MailDelivery delivery,
        SessionObserver observer,
        InstantSource clock) {}
