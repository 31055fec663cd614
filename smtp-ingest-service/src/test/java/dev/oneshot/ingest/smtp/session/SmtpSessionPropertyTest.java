package dev.oneshot.ingest.smtp.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.oneshot.authentication.results.AuthservId;
import dev.oneshot.ingest.smtp.SmtpPolicy;
import dev.oneshot.ingest.transcript.SessionLaws;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** The laws of the state machine for random dialogues, and for content around the ends of its segments. */
class SmtpSessionPropertyTest {

    private static final int TRIES = 2_000;
    /** For long dialogues, which are also played octet by octet. */
    private static final int LARGE_TRIES = 300;

    private static final SmtpPolicy LARGE = new SmtpPolicy(
            "mx.example", AuthservId.of("mx.example"), 100_000, 2, 3, 30, 40, 100_000, 100_000, 500, null);
    // The size of the first segment, and more than the length of our trace fields.
    private static final int FIRST_SEGMENT = 8 * 1024;
    private static final int TRACE_MAX = 400;

    @Property(tries = TRIES)
    void anyDialogueKeepsTheLaws(@ForAll("dialogues") String dialogue) {
        SessionLaws.check(SessionLaws.TIGHT, dialogue.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Property(tries = TRIES)
    void contentComesOutOfDataAsItWentIn(@ForAll("contents") String content) {
        String sent = content + "\r\n";

        // An empty line precedes content that would continue our last field.
        assertThat(delivered(SessionLaws.TIGHT, data(sent)))
                .isEqualTo(sent.matches("(?s)[ \t].*") ? "\r\n" + sent : sent);
    }

    /** The octets lie around the end of the first segment. */
    @Property(tries = LARGE_TRIES)
    void contentComesOutOfDataAsItWentInWhereverASegmentEnds(
            @ForAll("contents") String content, @ForAll @IntRange(max = TRACE_MAX) int shift) {
        String lines = "x".repeat(FIRST_SEGMENT - TRACE_MAX + shift) + "\r\n" + content + "\r\n"
                + "y".repeat(FIRST_SEGMENT) + "\r\n";

        assertThat(delivered(LARGE, data(lines))).isEqualTo(lines);
    }

    @Property(tries = LARGE_TRIES)
    void chunksComeOutAsTheyWentIn(
            @ForAll @IntRange(max = 30_000) int first, @ForAll @IntRange(max = 30_000) int second) {
        String chunks = "EHLO c\r\nMAIL FROM:<>\r\nRCPT TO:<open@in.example>\r\nBDAT " + first + "\r\n"
                + "x".repeat(first) + "BDAT " + second + "\r\n" + "y".repeat(second) + "BDAT 0 LAST\r\nQUIT\r\n";

        assertThat(delivered(LARGE, chunks)).isEqualTo("x".repeat(first) + "y".repeat(second));
    }

    /** A dialogue that sends these lines, dot-stuffed. */
    private static String data(String lines) {
        return "HELO c\r\nMAIL FROM:<>\r\nRCPT TO:<open@in.example>\r\nDATA"
                + ("\r\n" + lines).replace("\r\n.", "\r\n..") + ".\r\nQUIT\r\n";
    }

    /** The message that a dialogue delivers, without our trace fields. A character is an octet. */
    private static String delivered(SmtpPolicy policy, String dialogue) {
        List<String> messages = SessionLaws.check(policy, dialogue.getBytes(StandardCharsets.ISO_8859_1))
                .messages();
        assertThat(messages).hasSize(1);
        return messages.getFirst().substring(messages.getFirst().indexOf("+0000\r\n") + 7);
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
    Arbitrary<String> contents() {
        return Arbitraries.strings().withChars("\r\n. \ta\0\u00FF").ofMaxLength(60);
    }
}
