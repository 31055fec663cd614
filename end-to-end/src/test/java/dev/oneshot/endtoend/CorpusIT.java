package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.oneshot.local.stack.junit.SharedStack;
import dev.oneshot.message.Attachment;
import dev.oneshot.message.Leaf;
import dev.oneshot.message.MessageLimits;
import dev.oneshot.message.MessageReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Messages of every kind go from SMTP to REST: the project's own fixtures, and the public corpus if it is there. */
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ)
class CorpusIT extends StackTest {

    @Test
    void everyFixtureIsReadBackAsItWasSent() throws IOException {
        List<Path> fixtures;
        Path project = stack.settings().project();
        try (Stream<Path> files = Files.walk(project.resolve("message/src/test/resources"))) {
            fixtures = files.filter(file -> file.toString().endsWith(".eml"))
                    .sorted()
                    .toList();
        }

        assertThat(readBack(fixtures)).isGreaterThan(50);
    }

    @Test
    void everyMessageOfThePublicCorpusIsReadBackAsItWasSent() throws IOException {
        Path corpus = Path.of(System.getProperty("oneshot.corpus"));
        assumeThat(corpus.resolve("expected.jsonl"))
                .as("the public corpus is not there: set -Doneshot.corpus to its folder")
                .exists();
        List<Path> messages = new ArrayList<>();
        for (String line : Files.readAllLines(corpus.resolve("expected.jsonl"))) {
            messages.add(corpus.resolve(
                    new ObjectMapper().readTree(line).path("file").asText()));
        }

        assertThat(readBack(messages)).isGreaterThan(300);
    }

    /** Sends all that SMTP carries, reads them back, and returns how many. */
    private int readBack(List<Path> files) throws IOException {
        Map<String, byte[]> sent = new LinkedHashMap<>();
        for (Path file : files) {
            byte[] message = Files.readAllBytes(file);
            if (isCarriedBySmtp(message)) {
                String id = account.createAddress();
                assertThat(Account.deliver(stack, id, message)).as("%s", file).startsWith("250");
                sent.put(id, message);
            }
        }
        sent.forEach(this::assertIsReadBack);
        return sent.size();
    }

    /** CorpusTest compares what the reader finds with other programs. */
    private void assertIsReadBack(String id, byte[] sent) {
        account.awaitMail(id);
        byte[] raw = account.octets(id, "/email/raw");
        JourneyIT.assertRawEndsWith(raw, sent);
        List<Attachment> attachments = MessageReader.read(
                        raw, 0, raw.length, raw.length - sent.length, MessageLimits.DEFAULTS)
                .attachments();
        assertThat(account.get(id, "/email")
                        .then()
                        .statusCode(200)
                        .extract()
                        .<List<String>>path("attachments.filename"))
                .isEqualTo(attachments.stream().map(Attachment::filename).toList());
        for (int i = 0; i < attachments.size(); i++) {
            Leaf leaf = attachments.get(i).content();
            InputStream encoded = new ByteArrayInputStream(raw, leaf.offset(), leaf.length());
            assertThat(leaf.transferEncoding().decoding(encoded))
                    .hasBinaryContent(account.octets(id, "/email/attachments/" + i));
        }
    }

    /**
     * Whether CR and LF occur only together, and at the end (RFC 5321 §2.3.8). MessageReader's own tests have the
     * others.
     */
    private static boolean isCarriedBySmtp(byte[] message) {
        String octets = new String(message, StandardCharsets.ISO_8859_1);
        return octets.endsWith("\r\n") && !octets.replace("\r\n", "").matches("(?s).*[\r\n].*");
    }
}
