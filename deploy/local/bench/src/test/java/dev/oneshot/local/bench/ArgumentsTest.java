package dev.oneshot.local.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArgumentsTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "all"})
    void everythingRunsWithoutANameAndWithAll(String words) {
        List<String> typed = words.isEmpty() ? List.of() : List.of(words);

        Arguments arguments = Arguments.parse(typed);

        assertThat(arguments.benchmarks()).containsExactly(Benchmark.values());
    }

    @Test
    void namesRunOnceEachInTheirOrder() {
        Arguments arguments = Arguments.parse(List.of("expiry", "ingest", "expiry"));

        assertThat(arguments.benchmarks()).containsExactly(Benchmark.EXPIRY, Benchmark.INGEST);
    }

    @Test
    void valuesComeAsTheNextWordOrAfterAnEqualsSign() {
        Settings settings = Arguments.parse(
                        List.of("ingest", "--seconds", "60", "--sizes=2K,5M", "--connections=1,1000", "--full"))
                .settings();

        assertThat(settings.seconds()).isEqualTo(Duration.ofMinutes(1));
        assertThat(settings.sizes()).containsExactly(2048, 5 * 1024 * 1024);
        assertThat(settings.connections()).containsExactly(1, 1000);
        assertThat(settings.full()).isTrue();
    }

    @Test
    void heapIsThatOfTheLocalStackUnlessItIsGiven() {
        assertThat(Arguments.parse(List.of()).settings().heap()).isNull();
        assertThat(Arguments.parse(List.of("--heap=own")).settings().heap()).isNull();
        assertThat(Arguments.parse(List.of("--heap=1g")).settings().heap()).isEqualTo("1g");
    }

    @ParameterizedTest
    @CsvSource({
        "--seconds=0, --seconds must be between 1 and 3600",
        "--seconds=3601, --seconds must be between 1 and 3600",
        "--connections=1001, --connections must be between 1 and 1000",
        "--sizes=511, --sizes must be between 512",
        "--sizes=33M, --sizes must be between 512",
        "--rows=999, --rows must be between 1000",
        "--rows=9999999999, --rows must be between 1000",
        "--accounts=x, --accounts must be between 1",
        "--heap=much, --heap must be a size",
        "--durable=perhaps, --durable must be true or false",
        "--seconds, --seconds needs a value",
        "--speed=9, no such option: --speed",
        "speed, no such benchmark: speed",
    })
    void whatCannotBeUnderstoodIsNamed(String word, String message) {
        assertThatThrownBy(() -> Arguments.parse(List.of(word)))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--seconds=1", "--seconds=3600", "--sizes=512", "--sizes=32M", "--rows=1000", "--rows=9M"})
    void theBoundsThemselvesAreAllowed(String word) {
        assertThat(Arguments.parse(List.of(word)).benchmarks()).isNotEmpty();
    }

    /** The script prints it by itself, so that nobody has to wait for a build to read it. */
    @Test
    void helpIsThatOfTheScript() throws Exception {
        Process script = new ProcessBuilder("bash", "../../../oneshot", "bench", "--help")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();

        String printed = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(printed).isEqualTo(Arguments.help());
        assertThat(script.waitFor()).isZero();
    }

    @Test
    void helpNamesEveryBenchmark() {
        assertThat(Arguments.help()).contains("ingest", "api", "send", "expiry", "parse", "start", "--seconds");
    }
}
