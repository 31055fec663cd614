package dev.oneshot.local.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForegroundLinesTest {

    private final List<String> shown = new ArrayList<>();
    private final ForegroundLines lines = new ForegroundLines(shown::add);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "starting PostgreSQL, Kafka and the four services …",
                "  api is ready",
                "",
                "api | 2026-11-22T17:10:49.012Z WARN  [or.fl.co.DbValidate] (main) no",
                "ingest | 2026-11-22 17:10:49,012 ERROR [de.on.in.x] (main) no",
                "kafka | 2026-11-22T17:10:21Z WARN  [org.apache.kafka.x] (main) no",
                "mailer | {\"timestamp\":\"2026-11-22T17:10:49.012Z\",\"level\":\"ERROR\",\"message\":\"no\"}"
            })
    void linesOfTheStackAndWarningsAreShown(String line) {
        lines.accept(line);

        assertThat(shown).containsExactly(line);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "api | 2026-11-22T17:10:49.012Z INFO  [io.quarkus] (main) Installed features: [WARN , cdi]",
                "api | | 27                     |",
                "api | ",
                "expiry | \tat java.base/java.lang.Thread.run(Thread.java:1)",
                "kafka | Kafka is ready on 127.0.0.1:9092",
                "mailer | {\"timestamp\":\"2026-11-22T17:10:49.012Z\",\"level\":\"INFO\",\"message\":\"WARN\"}"
            })
    void everythingElseIsInTheLogsAlone(String line) {
        lines.accept(line);

        assertThat(shown).isEmpty();
    }
}
