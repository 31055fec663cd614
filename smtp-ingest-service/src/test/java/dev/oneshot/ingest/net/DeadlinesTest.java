package dev.oneshot.ingest.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.ingest.net.Deadlines.Exceeded;
import dev.oneshot.ingest.smtp.session.Phase;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

class DeadlinesTest {

    private final Deadlines deadlines = new Deadlines(
            SmtpTestServer.config(Map.of(
                    "idle-timeout", "300s",
                    "data-timeout", "600s",
                    "data-rate-grace", "30s",
                    "data-rate-min", "100",
                    "memory-wait", "10s")),
            0);

    /**
     * Events at seconds: a phase begins, octets arrive (+), a reply is sent. Then the last second
     * at which no timeout has run out, and the timeout that runs out after it.
     */
    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = "/deadlines.txt", delimiter = '|', quoteCharacter = '\'')
    void endsAfterItsTime(String name, String events, long seconds, Exceeded exceeded) {
        play(events);

        assertThat(deadlines.exceeded(seconds(seconds))).as(name).isEqualTo(Exceeded.NONE);
        assertThat(deadlines.exceeded(seconds(seconds) + 1)).as(name).isEqualTo(exceeded);
    }

    /** Rates count whole seconds. A wait for memory does not excuse content that came too slowly before it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 CONTENT, 50 +10000 | 100",
                "0 CONTENT, 1 +4000, 10 MEMORY, 1000 CONTENT | 1030",
            })
    void contentAtTheMinimumRateIsFastEnough(String events, long seconds) {
        play(events);

        assertThat(deadlines.exceeded(seconds(seconds))).isEqualTo(Exceeded.NONE);
        assertThat(deadlines.exceeded(seconds(seconds + 1))).isEqualTo(Exceeded.TOO_SLOW);
    }

    @Test
    void nothingIsAskedOfTheClientWhileTheSessionIsBusy() {
        deadlines.entered(Phase.BUSY, 0);

        assertThat(deadlines.exceeded(seconds(10_000))).isEqualTo(Exceeded.NONE);
    }

    /** Events as above. A question mark asks whether content is shed while others wait; only the last time it is. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 CONTENT, 1 +1000000, 1 ?, 2 +163839 | 6",
                "0 CONTENT, 1 ?, 2 +163840, 6 ?, 7 +163839 | 11",
                // No one waited at the fifth second, so it is measured again.
                "0 CONTENT, 1 ?, 5 alone, 6 ? | 11",
            })
    void contentThatOthersWaitForIsShedIfItIsSlow(String events, long seconds) {
        play(events);

        assertThat(deadlines.mustShed(true, seconds(seconds) - 1)).isFalse();
        assertThat(deadlines.mustShed(true, seconds(seconds))).isTrue();
    }

    @Test
    void messageThatIsBeingStoredIsNotShed() {
        play("0 CONTENT, 1 ?, 2 BUSY");

        assertThat(deadlines.mustShed(true, seconds(60))).isFalse();
    }

    private void play(String events) {
        for (String event : events.isEmpty() ? new String[0] : events.split(", ", -1)) {
            String[] words = event.split(" ", -1);
            long now = seconds(Long.parseLong(words[0]));
            switch (words[1]) {
                case "reply" -> deadlines.replied(now);
                case "?" -> assertThat(deadlines.mustShed(true, now)).isFalse();
                case "alone" -> assertThat(deadlines.mustShed(false, now)).isFalse();
                default -> {
                    if (words[1].startsWith("+")) {
                        deadlines.received(Integer.parseInt(words[1].substring(1)), now);
                    } else {
                        deadlines.entered(Phase.valueOf(words[1]), now);
                    }
                }
            }
        }
    }

    private static long seconds(long seconds) {
        return Duration.ofSeconds(seconds).toNanos();
    }
}
