package dev.oneshot.local.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

class MainTest {

    @Test
    void valuesComeAsTheNextWordOrAfterAnEqualsSign() {
        CommandLine line = Main.commandLine();

        ParseResult result = line.parseArgs(".", "ingest", "--seconds", "60", "--rows=1000", "api", "api");

        Main main = line.getCommand();
        assertThat(main.bench())
                .isEqualTo(
                        new Bench(Path.of("").toAbsolutePath(), Duration.ofSeconds(60), Duration.ofSeconds(10), 1000));
        assertThat(result.matchedPositionals().getLast().<Set<Main.Benchmark>>getValue())
                .containsExactly(Main.Benchmark.INGEST, Main.Benchmark.API);
    }

    @ParameterizedTest
    @CsvSource({
        "--seconds=0, --seconds must be between 1 and 3600",
        "--seconds=3601, --seconds must be between 1 and 3600",
        "--sustain=0, --sustain must be between 1 and 3600",
        "--rows=999, --rows must be between 1000",
        "--rows=10000001, --rows must be between 1000",
        "--rows=9999999999, Invalid value for option '--rows'",
        "--rows=x, Invalid value for option '--rows'",
        "--seconds, Missing required parameter for option '--seconds'",
        "--speed=9, Unknown option: '--speed=9'",
        "speed, Unmatched argument at index 1: 'speed'",
    })
    void whatCannotBeParsedIsNamed(String word, String message) {
        StringWriter printed = new StringWriter();

        int status = Main.commandLine().setErr(new PrintWriter(printed)).execute(".", word);

        assertThat(printed.toString()).contains(message);
        assertThat(status).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--seconds=1", "--seconds=3600", "--sustain=3600", "--rows=1000", "--rows=10000000"})
    void theBoundsThemselvesAreAllowed(String word) {
        CommandLine line = Main.commandLine();
        line.parseArgs(".", word);

        Main main = line.getCommand();
        assertThat(main.bench()).isNotNull();
    }

    /** The script checks names before it builds anything. */
    @Test
    void theScriptKnowsEveryBenchmarkAndOption(@TempDir Path folder) throws IOException {
        Path script = Files.copy(Path.of("../../../oneshot"), folder.resolve("oneshot"));
        Process help = new ProcessBuilder("bash", script.toString(), "bench", "--help").start();

        String words = new String(help.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        for (Main.Benchmark benchmark : Main.Benchmark.values()) {
            assertThat(words).contains(" " + benchmark.name().toLowerCase(Locale.ROOT) + " ");
        }
        for (OptionSpec option : Main.commandLine().getCommandSpec().options()) {
            assertThat(words)
                    .satisfiesAnyOf(
                            known -> assertThat(known).contains(" " + option.longestName()),
                            _ -> assertThat(option.usageHelp()).isTrue());
        }
    }
}
