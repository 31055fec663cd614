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
import org.junit.jupiter.params.provider.CsvSource;

/** Of 14 units 6 are for the head, and 4 of the rest are spare; a unit is more than a small message has. */
class MessageMemoryTest {

    private static final long UNIT = 2 * MessageMemory.SMALL;
    private static final Pattern STEP = Pattern.compile("(\\w+)([+?:-])([^!]*)(!?)");

    private final MessageMemory memory = new MessageMemory(14 * UNIT, 6 * UNIT, Duration.ofSeconds(10));
    private final Map<String, MessageMemory.Room> rooms = new HashMap<>();
    private final List<String> granted = new ArrayList<>();
    private final Set<String> refused = new HashSet<>();

    /**
     * Steps of the rooms a, b and so on: reserve octets (+), release them (-), wait for them having read so many (?),
     * end the wait (end:). An exclamation mark stands for a refusal, or for a wait that ends without memory. U is a unit,
     * S the largest small message, and 8xS reserves that for eight more messages. Then what is expected: who got the memory
     * that they waited for (granted), and how much is reserved and how many wait in all.
     */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
                    large ones share 4, the oldest has 6   | a+4U b+6U+1! b+6U c+1U! reserved:10U
                    absurd demands are refused             | a+1 a+9223372036854775807! reserved:1
                    the head can always finish             | a+1U b+3U a+5U a+1! b+1U b+1!
                    those who began first have their turn  | a+1U b+3U h+6U b?2U,1 a?2U,1 granted: waiting:2 h-6U granted:a
                    and then the next                      | a+1U b+3U h+6U b?2U,1 a?2U,1 h-6U end:a a-3U granted:ab
                    a younger one does not overtake        | a+3U h+6U b?2U,1 c+1U! a-3U granted:b d+1U
                    an ended wait makes room for the next  | a+3U h+6U b?2U,1 c?1U,1 end:b! granted:c end:c
                    a wait ends at once if there is room   | a?1U,1 granted:a end:a reserved:1U
                    small ones do not queue for large ones | a+4U h+6U b?1U,0 8xS reserved:14U c+1!
                    and take nothing from them             | a+3U 4xS b+1U c+6U d+1U!
                    a message is small up to a bound       | a+4U h+6U b+S b+1! c+S+1!
                    a small one waits for no older one     | a+4U h+6U b+S 7xS c+1U! d+10! c?1U,0 d?10,0 b-S granted:d
                    a small one gets whatever is freed     | a+4U h+6U 7xS b+65531 c?6,0 granted: a-1 granted:c
                    octets already read count in the wait  | a+4U h+6U b?1U,1000 reserved:10U+1000 end:b! reserved:10U granted:
                    there is no wait without room for them | a+4U h+6U 7xS b+65526 c?1U,11! waiting:0 c?1U,10 reserved:14U
                    those of large ones have half of it    | a+4U h+6U b?1U,2U c?1U,1! d+S end:b! c?1U,2U end:c! granted:
                    """)
    void roomsShareTheMemory(String name, String steps) {
        for (String step : steps.split(" ", -1)) {
            assertThat(holds(step)).as(step).isTrue();
        }
        assertThat(memory.reserved()).isLessThanOrEqualTo(memory.max());
    }

    private boolean holds(String text) {
        if (text.endsWith("xS")) {
            return LongStream.range(0, octets(text.substring(0, text.indexOf('x'))))
                    .allMatch(_ -> memory.room().reserve(MessageMemory.SMALL));
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
                room(amounts[0]).stopWaiting();
                yield refused.remove(amounts[0]) != succeeds;
            }
            default ->
                switch (step.group(2)) {
                    case "+" -> room(subject).reserve(octets(amounts[0])) == succeeds;
                    case "?" -> {
                        room(subject)
                                .await(
                                        octets(amounts[0]),
                                        octets(amounts[1]),
                                        taken -> (taken ? granted : refused).add(subject));
                        yield refused.remove(subject) != succeeds;
                    }
                    default -> {
                        room(subject).release(octets(amounts[0]));
                        yield true;
                    }
                };
        };
    }

    private MessageMemory.Room room(String name) {
        return rooms.computeIfAbsent(name, _ -> memory.room());
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
        assertThat(room("a").blocksOthers()).isFalse();
        assertThat(holds("w?1U,0")).isTrue();

        assertThat(room("a").blocksOthers()).isTrue();
        assertThat(room("s").blocksOthers()).isFalse();
        assertThat(room("w").blocksOthers()).isFalse();
        room("w").stopWaiting();
        assertThat(room("a").blocksOthers()).isFalse();
    }

    @Test
    void waitIsOverdueAtItsBound() {
        assertThat(memory.room().isOverdue(Duration.ofSeconds(10).toNanos() - 1))
                .isFalse();
        assertThat(memory.room().isOverdue(Duration.ofSeconds(10).toNanos())).isTrue();
    }
}
