package dev.oneshot.contracts.setting;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Old and new names of renamed settings. Without this check, an old name would be ignored. */
final class RenamedSettings {

    private static final String KAFKA_CLIENT = "oneshot.kafka.client.";
    private static final String KAFKA_CLIENT_VARIABLE = variable(KAFKA_CLIENT);
    private static final String MAIL_INBOUND_IN = "mp.messaging.incoming.mail-inbound.";
    private static final String MAIL_INBOUND_OUT = "mp.messaging.outgoing.mail-inbound.";
    private static final String CLOSED_OUT = "mp.messaging.outgoing.address-closed.";

    private static final Map<String, String> PROPERTIES = Map.ofEntries(
            Map.entry("oneshot.kafka.bootstrap-servers", "kafka.bootstrap.servers"),
            Map.entry("oneshot.kafka.max-block", CLOSED_OUT + "max.block.ms"),
            Map.entry("oneshot.kafka.delivery-timeout", CLOSED_OUT + "delivery.timeout.ms"),
            Map.entry("oneshot.kafka.closed-buffer-bytes", CLOSED_OUT + "buffer.memory"),
            Map.entry("oneshot.inbox.group", MAIL_INBOUND_IN + "group.id"),
            Map.entry("oneshot.inbox.consumers", MAIL_INBOUND_IN + "concurrency"),
            Map.entry("oneshot.inbox.batch-mails", MAIL_INBOUND_IN + "max.poll.records"),
            Map.entry("oneshot.inbox.fetch-max", MAIL_INBOUND_IN + "fetch.max.bytes"),
            Map.entry("oneshot.delivery.timeout", MAIL_INBOUND_OUT + "delivery.timeout.ms"),
            Map.entry("oneshot.delivery.request-timeout", MAIL_INBOUND_OUT + "request.timeout.ms"),
            Map.entry("oneshot.delivery.buffer-memory", MAIL_INBOUND_OUT + "buffer.memory"),
            Map.entry(
                    "oneshot.recipient.closed-partitions-refresh",
                    "mp.messaging.incoming.address-closed.metadata.max.age.ms"));

    private static final Map<String, String> ALL = PROPERTIES.entrySet().stream()
            .flatMap(renamed -> Stream.of(renamed, Map.entry(variable(renamed.getKey()), variable(renamed.getValue()))))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));

    private RenamedSettings() {}

    /** The new name of a setting, as a property or a variable like the old one; empty if it was not renamed. */
    static Optional<String> newName(String name) {
        if (name.startsWith(KAFKA_CLIENT)) {
            return Optional.of("kafka." + name.substring(KAFKA_CLIENT.length()).replace("\"", ""));
        }
        if (name.startsWith(KAFKA_CLIENT_VARIABLE)) {
            // Quotes of a property are underscores in a variable: ONESHOT_KAFKA_CLIENT__SECURITY_PROTOCOL_.
            return Optional.of(
                    "KAFKA_" + name.substring(KAFKA_CLIENT_VARIABLE.length()).replaceAll("^_|_$", ""));
        }
        return Optional.ofNullable(ALL.get(name));
    }

    private static String variable(String property) {
        return property.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    }
}
