package dev.oneshot.local.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TableTest {

    @Test
    void wordsGoToTheLeftAndNumbersToTheRight() {
        Table table = new Table("Speeds")
                .row("what", "bare", "per second", 12_345.6, "ms", 1.234)
                .row("what", "with all of it", "per second", 99.5, "refused", 1000)
                .note("A note.");

        assertThat(table.text()).isEqualTo("""
                Speeds
                  what            per second    ms  refused
                  bare                12,346  1.23
                  with all of it       99.50          1,000
                  A note.
                """);
    }

    @Test
    void aLatencyFillsTwoColumns() {
        Latency latency = new Latency();
        latency.record(2_000_000);

        Table table = new Table("Times").row("what", "read", "", latency, "late ", latency);

        assertThat(table.text().lines().toList().get(1)).isEqualTo("  what  p50 ms  p99 ms  late p50 ms  late p99 ms");
    }
}
