package dev.oneshot.testcontainers.spring;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/** Where oneshot runs. */
public interface OneshotConnectionDetails extends ConnectionDetails {

    /** The host of the SMTP server. */
    String smtpHost();

    /** The port of the SMTP server. */
    int smtpPort();
}
