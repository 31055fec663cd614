package dev.oneshot.mailer.relay;

import static dev.oneshot.contracts.setting.ValidSetting.require;

/** Checks of {@link RelayConfig} that types cannot express. */
final class RelayChecks {

    private RelayChecks() {}

    /** @throws IllegalArgumentException naming the invalid key */
    static void check(RelayConfig config) {
        require(config.port() >= 1 && config.port() <= 65535, "oneshot.relay.port must be between 1 and 65535");
        require(!config.host().isBlank(), "oneshot.relay.host must not be empty");
        require(
                config.helloName().matches("[A-Za-z0-9.\\-\\[\\]:]{1,255}"),
                "oneshot.relay.hello-name must be a domain name or an address literal");
        require(config.mailsPerConnection() >= 1, "oneshot.relay.mails-per-connection must be at least 1");
        require(
                config.username().isPresent() == config.password().isPresent(),
                "oneshot.relay.username and oneshot.relay.password must be set together");
        require(
                config.username().isEmpty() || config.tls() != RelayConfig.TlsMode.NONE,
                "oneshot.relay.username needs oneshot.relay.tls to be starttls or implicit");
        require(
                config.connectTimeout().isPositive()
                        && config.replyTimeout().isPositive()
                        && config.dataReplyTimeout().isPositive(),
                "oneshot.relay.connect-timeout, reply-timeout and data-reply-timeout must be positive");
        require(
                config.attemptTimeout().isPositive() && config.attemptTimeout().toDays() < 1,
                "oneshot.relay.attempt-timeout must be positive and less than a day");
    }
}
