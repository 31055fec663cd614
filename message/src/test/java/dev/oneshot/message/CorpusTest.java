package dev.oneshot.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every message of the public corpus gives the fields on which other programs agree. */
class CorpusTest {

    private static final Path FOLDER = Path.of(System.getProperty("oneshot.corpus", "../../shared/corpus"));

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
    }
}
