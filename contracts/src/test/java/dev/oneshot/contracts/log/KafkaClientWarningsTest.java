package dev.oneshot.contracts.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KafkaClientWarningsTest {

    private static final String CLIENT = "org.apache.kafka.clients.NetworkClient";

    private final KafkaClientWarnings warnings = new KafkaClientWarnings();

    @Test
    void onlyTheFirstOfManyWarningsIsLogged() {
        List<Boolean> logged = Stream.generate(() -> isLogged(CLIENT, Level.WARNING))
                .limit(300)
                .toList();

        assertThat(logged.getFirst()).isTrue();
        assertThat(logged.subList(1, logged.size())).containsOnly(false);
    }

    @Test
    void errorsAndInformationAndOtherLoggersAreLoggedAlways() {
        isLogged(CLIENT, Level.WARNING);

        assertThat(isLogged(CLIENT, Level.SEVERE)).isTrue();
        assertThat(isLogged(CLIENT, Level.INFO)).isTrue();
        assertThat(isLogged("dev.oneshot.ingest", Level.WARNING)).isTrue();
        assertThat(isLogged("org.apache.kafka.clientsOfOthers", Level.WARNING)).isTrue();
        assertThat(isLogged(null, Level.WARNING)).isTrue();
    }

    private boolean isLogged(@Nullable String logger, Level level) {
        LogRecord entry = new LogRecord(level, "node 1 is away");
        entry.setLoggerName(logger);
        return warnings.isLoggable(entry);
    }
}
