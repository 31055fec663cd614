package dev.oneshot.ingest.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Of 14 units 6 are for the head, and 4 of the rest are spare; a unit is more than a small message has. */
class MessageMemoryTest {

    private static final long UNIT = 2 * MessageMemory.SMALL;
    private static final Pattern STEP = Pattern.compile("(\\w+)([+?:-])([^!]*)(!?)");

    private final MessageMemory memory = new MessageMemory(14 * UNIT, 6 * UNIT, Duration.ofSeconds(10));
    private final Map<String, MessageMemory.SessionMemory> sessions = new HashMap<>();
    private final List<String> granted = new ArrayList<>();
    private final Set<String> refused = new HashSet<>();

    /**
     * Steps of the sessions a, b and so on: reserve bytes (+), release them (-), wait for them having read so many (?),
     * end the wait (end:). An exclamation mark stands for a refusal, or for a wait that ends without memory. U is a unit,
     * S the largest small message, and 8xS reserves that for eight more messages. Then the expected result: the sessions whose
     * wait ended with memory (granted), how much is reserved, and how many wait in all.
     */
    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = "/message-memory.txt", delimiter = '|')
    void roomsShareTheMemory(String name, String steps) {
        for (String step : steps.split(" ", -1)) {
            assertThat(holds(step)).as(step).isTrue();
        }
        assertThat(memory.reserved()).isLessThanOrEqualTo(memory.max());
    }

    private boolean holds(String text) {
        if (text.endsWith("xS")) {
            return LongStream.range(0, octets(text.substring(0, text.indexOf('x'))))
                    .allMatch(_ -> memory.ofSession().reserve(MessageMemory.SMALL));
        }
        Matcher step = STEP.matcher(text);
        assertThat(step.matches()).isTrue();
        String subject = step.group(1);
        String[] amounts = step.group(3).split(",", -1);
        boolean succeeds = step.group(4).isEmpty();
        return switch (subject) {
            case "granted" -> String.join("", granted).equals(amounts[0]);
            case "reserved" -> memory.reserved() == octets(amounts[0]);
            case "waiting" -> memory.waiting() == octets(amounts[0]);
            case "end" -> {
                session(amounts[0]).stopWaiting();
                yield refused.remove(amounts[0]) != succeeds;
            }
            default ->
                switch (step.group(2)) {
                    case "+" -> session(subject).reserve(octets(amounts[0])) == succeeds;
                    case "?" -> {
                        session(subject)
                                .await(
                                        octets(amounts[0]),
                                        octets(amounts[1]),
                                        taken -> (taken ? granted : refused).add(subject));
                        yield refused.remove(subject) != succeeds;
                    }
                    default -> {
                        session(subject).release(octets(amounts[0]));
                        yield true;
                    }
                };
        };
    }

    private MessageMemory.SessionMemory session(String name) {
        return sessions.computeIfAbsent(name, _ -> memory.ofSession());
    }

    private static long octets(String sum) {
        return Stream.of(sum.split("\\+", -1))
                .mapToLong(term -> term.equals("S")
                        ? MessageMemory.SMALL
                        : term.endsWith("U")
                                ? Long.parseLong(term.substring(0, term.length() - 1)) * UNIT
                                : Long.parseLong(term))
                .sum();
    }

    @Test
    void largeMessageBlocksThoseThatWaitAndASmallOneDoesNot() {
        for (String step : "a+S+1 b+3U s+S h+6U".split(" ", -1)) {
            assertThat(holds(step)).as(step).isTrue();
        }
        assertThat(session("a").blocksOthers()).isFalse();
        assertThat(holds("w?1U,0")).isTrue();

        assertThat(session("a").blocksOthers()).isTrue();
        assertThat(session("s").blocksOthers()).isFalse();
        assertThat(session("w").blocksOthers()).isFalse();
        session("w").stopWaiting();
        assertThat(session("a").blocksOthers()).isFalse();
    }

    @Test
    void waitIsOverdueAtItsBound() {
        assertThat(session("a").isOverdue(Duration.ofSeconds(10).toNanos() - 1)).isFalse();
        assertThat(session("a").isOverdue(Duration.ofSeconds(10).toNanos())).isTrue();
    }
}
