package dev.oneshot.ingest.smtp.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.oneshot.ingest.smtp.AuthservId;
import dev.oneshot.ingest.smtp.SmtpPolicy;
import dev.oneshot.ingest.transcript.CountedMemory;
import dev.oneshot.ingest.transcript.PlayedSession;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Laws of the state machine that hold whatever a client sends. */
class SmtpSessionPropertyTest {

    private static final int TRIES = 2_000;
    private static final int MEMORY_BYTES = 100_000;
    private static final SmtpPolicy POLICY =
            new SmtpPolicy("mx.example", AuthservId.of("mx.example"), 2_000, 2, 3, 30, 40, 500, 300, 500, null);
    private static final SmtpPolicy LARGE_POLICY = new SmtpPolicy(
            "mx.example", AuthservId.of("mx.example"), 100_000, 2, 3, 30, 40, 100_000, 100_000, 500, null);
    // What a message takes at first; our trace fields are shorter than a line of this.
    private static final int FIRST_SEGMENT = 8 * 1024;
    private static final int TRACE_MAX = 400;

    /** What came of a play. */
    private record Result(String replies, List<String> delivered, Phase phase, long memoryAfterwards) {}

    @Property(tries = TRIES)
    void repliesAreWellFormedAndTheOutcomeDoesNotDependOnCutsAndWaitsForMemory(
            @ForAll("dialogues") String dialogue, @ForAll("cuts") List<Integer> cuts) {
        Result whole = play(dialogue, List.of());

        assertThat(whole.replies().split("\r\n", -1))
                .allMatch(line -> line.isEmpty() || line.matches("[2345][0-9]{2}[ -][\\x20-\\x7e]{1,508}"));
        assertThat(whole.memoryAfterwards()).isZero();
        assertThat(play(dialogue, cuts)).isEqualTo(whole);
        assertThat(play(POLICY, CountedMemory.waitedFor(), dialogue, cuts)).isEqualTo(whole);
        assertThat(play(POLICY, CountedMemory.of(0), dialogue, cuts))
                .isEqualTo(play(POLICY, CountedMemory.of(0), dialogue, List.of()));
    }

    /** The octets lie around the end of the first segment. */
    @Property(tries = TRIES)
    void contentComesOutOfDataAsItWentInWhereverItWaitsForMemory(
            @ForAll("contents") String content,
            @ForAll @IntRange(max = TRACE_MAX) int shift,
            @ForAll("cuts") List<Integer> cuts) {
        String lines = "x".repeat(FIRST_SEGMENT - TRACE_MAX + shift) + "\r\n" + content + "\r\n"
                + "y".repeat(FIRST_SEGMENT) + "\r\n";

        Result result = play(LARGE_POLICY, CountedMemory.waitedFor(), data(lines), far(cuts));

        assertThat(result).isEqualTo(play(LARGE_POLICY, CountedMemory.of(MEMORY_BYTES), data(lines), List.of()));
        assertThat(contentOf(result)).isEqualTo(lines);
    }

    @Property(tries = TRIES)
    void chunksComeOutAsTheyWentInWhereverTheyWaitForMemory(
            @ForAll @IntRange(max = 30_000) int first,
            @ForAll @IntRange(max = 30_000) int second,
            @ForAll("cuts") List<Integer> cuts) {
        String chunks = "EHLO c\r\nMAIL FROM:<>\r\nRCPT TO:<open@in.example>\r\nBDAT " + first + "\r\n"
                + "x".repeat(first) + "BDAT " + second + "\r\n" + "y".repeat(second) + "BDAT 0 LAST\r\nQUIT\r\n";

        Result result = play(LARGE_POLICY, CountedMemory.waitedFor(), chunks, far(cuts));

        assertThat(result).isEqualTo(play(LARGE_POLICY, CountedMemory.of(MEMORY_BYTES), chunks, List.of()));
        assertThat(contentOf(result)).isEqualTo("x".repeat(first) + "y".repeat(second));
    }

    @Property(tries = TRIES)
    void contentComesOutOfDataAsItWentIn(@ForAll("contents") String content, @ForAll("cuts") List<Integer> cuts) {
        String sent = content + "\r\n";

        Result result = play(data(sent), cuts);

        // What would continue our last field is kept apart from it.
        assertThat(contentOf(result)).isEqualTo(sent.matches("(?s)[ \t].*") ? "\r\n" + sent : sent);
    }

    /** A dialogue that sends these lines, dot-stuffed. */
    private static String data(String lines) {
        return "HELO c\r\nMAIL FROM:<>\r\nRCPT TO:<open@in.example>\r\nDATA"
                + ("\r\n" + lines).replace("\r\n.", "\r\n..") + ".\r\nQUIT\r\n";
    }

    /** Without our trace fields. */
    private static String contentOf(Result result) {
        assertThat(result.delivered()).hasSize(1);
        String message = result.delivered().getFirst();
        return message.substring(message.indexOf("+0000\r\n") + 7);
    }

    /** The first piece ends near the end of the first segment. */
    private static List<Integer> far(List<Integer> cuts) {
        List<Integer> far = new ArrayList<>(cuts);
        far.addFirst(FIRST_SEGMENT - TRACE_MAX);
        return far;
    }

    @Provide
    Arbitrary<String> dialogues() throws IOException {
        File pieces = new File("src/test/resources/dialogue-pieces.json");
        return Arbitraries.of(new ObjectMapper().readValue(pieces, String[].class))
                .list()
                .ofMaxSize(40)
                .map(list -> String.join("", list));
    }

    @Provide
    Arbitrary<List<Integer>> cuts() {
        return Arbitraries.integers().between(1, 60).list().ofMaxSize(50);
    }

    @Provide
    Arbitrary<String> contents() {
        return Arbitraries.strings().withChars("\r\n. \ta\0\u00FF").ofMaxLength(60);
    }

    /** Plays characters, each an octet, cut into pieces of these lengths, what is left in one. */
    private static Result play(String sent, List<Integer> cuts) {
        return play(POLICY, CountedMemory.of(MEMORY_BYTES), sent, cuts);
    }

    private static Result play(SmtpPolicy policy, CountedMemory memory, String sent, List<Integer> cuts) {
        byte[] octets = sent.getBytes(StandardCharsets.ISO_8859_1);
        List<String> delivered = new ArrayList<>();
        PlayedSession played = new PlayedSession(policy, memory, transaction -> {
            delivered.add(new String(transaction.octets().toByteArray(), StandardCharsets.ISO_8859_1));
            return DeliveryOutcome.STORED;
        });
        int at = 0;
        int cut = 0;
        boolean reading = true;
        while (reading && at < octets.length) {
            int length = cut < cuts.size() ? cuts.get(cut++) : octets.length;
            ByteBuffer piece = ByteBuffer.wrap(octets, at, Math.min(length, octets.length - at));
            at = piece.limit();
            reading = played.receive(piece) instanceof Output.Next.Read;
        }
        Phase phase = played.session().phase();
        played.session().abandon();
        return new Result(played.replies(), delivered, phase, memory.held());
    }
}
