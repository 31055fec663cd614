package dev.oneshot.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every message of the public corpus gives the fields on which other programs agree. */
class CorpusTest {

    private static final Path FOLDER = Path.of(System.getProperty("oneshot.corpus", "../../shared/corpus"));

    private static final byte[] TRACE = ReadMessage.octets("""
            Return-Path: <sender@example.org>
            Received: from client.example by mx.example
              with ESMTP; Mon, 5 Jan 2026 10:00:00 +0000
            """);

    @Test
    void everyMessageOfTheCorpusGivesItsUndisputedFields() throws IOException {
        Path index = FOLDER.resolve("expected.jsonl");
        assumeTrue(Files.exists(index), "no corpus at " + FOLDER + ": skipped");
        ObjectMapper json = new ObjectMapper();
        List<String> failures = new ArrayList<>();
        int fields = 0;
        List<String> lines = Files.readAllLines(index);
        for (String line : lines) {
            JsonNode expected = json.readTree(line);
            byte[] octets =
                    Files.readAllBytes(FOLDER.resolve(expected.path("file").asText()));
            CorpusExpectation expectation = new CorpusExpectation(expected, octets);
            expectation.compare();
            fields += expectation.compared();
            failures.addAll(expectation.failures());
        }
        assertThat(failures)
                .as("%d messages, %d fields compared", lines.size(), fields)
                .isEmpty();
        assertThat(fields).as("fields compared").isGreaterThan(lines.size() * 3);
        System.getLogger(CorpusTest.class.getName())
                .log(
                        System.Logger.Level.INFO,
                        "corpus: {0} messages, {1} undisputed fields compared, {2} differ",
                        lines.size(),
                        fields,
                        failures.size());
    }

    /** Ingest reads a message behind its own trace fields; only the offsets may differ. */
    @Test
    void everyMessageIsReadTheSameBehindTraceFields() throws IOException {
        Path index = FOLDER.resolve("expected.jsonl");
        assumeTrue(Files.exists(index), "no corpus at " + FOLDER + ": skipped");
        ObjectMapper json = new ObjectMapper();
        List<String> differing = new ArrayList<>();
        for (String line : Files.readAllLines(index)) {
            String file = json.readTree(line).path("file").asText();
            byte[] octets = Files.readAllBytes(FOLDER.resolve(file));
            ReadMessage alone = ReadMessage.of(octets);
            ReadMessage traced = ReadMessage.of(withTrace(octets));
            boolean same = alone.text().equals(traced.text())
                    && alone.html().equals(traced.html())
                    && alone.attachments().equals(traced.attachments())
                    && alone.structure().from().equals(traced.structure().from())
                    && alone.structure().subject().equals(traced.structure().subject());
            if (!same) {
                differing.add(file);
            }
        }
        assertThat(differing).isEmpty();
    }

    private static byte[] withTrace(byte[] octets) {
        byte[] traced = Arrays.copyOf(TRACE, TRACE.length + octets.length);
        System.arraycopy(octets, 0, traced, TRACE.length, octets.length);
        return traced;
    }
}
