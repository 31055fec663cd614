package dev.oneshot.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** Every message of the public corpus gives the fields on which other programs agree. */
class CorpusTest {

    private static final Path FOLDER = Path.of(System.getProperty("oneshot.corpus", "../../shared/corpus"));

    private final SoftAssertions softly = new SoftAssertions();
    private int fields;

    @Test
    void everyMessageOfTheCorpusGivesItsUndisputedFields() throws IOException {
        Path index = FOLDER.resolve("expected.jsonl");
        assumeTrue(Files.exists(index), "no corpus at " + FOLDER + ": skipped");
        List<String> lines = Files.readAllLines(index);

        for (String line : lines) {
            JsonNode expected = new ObjectMapper().readTree(line);
            Path file = FOLDER.resolve(expected.path("file").asText());
            check(expected, ReadMessage.of(Files.readAllBytes(file)));
        }

        softly.assertAll();
        assertThat(fields).as("fields compared").isGreaterThan(lines.size() * 3);
    }

    private void check(JsonNode expected, ReadMessage read) {
        String subject = normal(read.structure().subject());
        String html = normal(read.html());
        String free = normal(withoutTags(html));
        String text = expected.path("text_in").asText().equals("html") ? html : normal(read.text());
        softly.assertThat(read.structure().complete())
                .as("%s is complete", expected)
                .isTrue();
        given(expected, "subject", wanted -> assertThat(subject).isEqualTo(normal(wanted.asText())));
        given(expected, "subject_prefix", wanted -> assertThat(subject).startsWith(normal(wanted.asText())));
        given(expected, "from", wanted -> assertThat(read.structure().from()).isEqualTo(wanted.asText()));
        given(expected, "text_contains", wanted -> assertThat(text).contains(normal(wanted.asText())));
        given(expected, "html", wanted -> assertThat(!html.isBlank()).isEqualTo(wanted.asBoolean()));
        given(
                expected,
                "html_contains",
                wanted -> assertThat(List.of(free, html)).anyMatch(one -> one.contains(normal(wanted.asText()))));
        given(expected, "attachments", wanted -> checkAttachments(wanted, read.attachments()));
    }

    /** Checks a field unless the expectation omits it or has null for it. */
    private void given(JsonNode expected, String field, Consumer<JsonNode> check) {
        JsonNode wanted = expected.path(field);
        if (!wanted.isNull() && !wanted.isMissingNode()) {
            fields++;
            softly.assertThatObject(wanted)
                    .as("%s of %s", field, expected.path("file"))
                    .satisfies(check);
        }
    }

    private static void checkAttachments(JsonNode expected, List<ReadMessage.File> found) {
        List<ReadMessage.File> left = new ArrayList<>(found);
        for (JsonNode attachment : expected) {
            if (!left.isEmpty() && isLike(attachment, left.getFirst())) {
                left.removeFirst();
            } else {
                assertThat(attachment.path("optional").asBoolean(false))
                        .as("%s is optional, as it is not the first of %s", attachment, left)
                        .isTrue();
            }
        }
        assertThat(left).as("not expected").isEmpty();
    }

    /** The names are the senders'. The reader's are safe to save, so the same rule is applied to both. */
    private static boolean isLike(JsonNode attachment, ReadMessage.File file) {
        JsonNode type = attachment.path("content_type");
        JsonNode name = attachment.path("filename");
        JsonNode hash = attachment.path("sha256");
        return (type.isNull() || type.asText().equals(file.contentType()))
                && (name.isNull() || normal(Filenames.of(name.asText())).equals(normal(file.filename())))
                && (hash.isNull() || hash.asText().equals(file.sha256()));
    }

    private static String withoutTags(String html) {
        return html.replaceAll("<[^>]*>", " ")
                .replace("&nbsp;", " ")
                .replace("&amp;", "&")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"");
    }

    private static String normal(String text) {
        return Normalizer.normalize(text, Normalizer.Form.NFC)
                .replaceAll("(?U)\\s+", " ")
                .strip();
    }
}
