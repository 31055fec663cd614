package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.oneshot.local.stack.junit.SharedStack;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Messages of every kind go from SMTP to REST: the project's own fixtures, and the public corpus if it is there. */
@Order(1)
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

        Map<Path, String> sent = new LinkedHashMap<>();
        for (Path fixture : fixtures) {
            if (isCarriedBySmtp(Files.readAllBytes(fixture))) {
                sent.put(fixture, send(fixture));
            }
        }

        assertThat(sent).hasSizeGreaterThan(50);
        for (Map.Entry<Path, String> mail : sent.entrySet()) {
            assertIsReadBack(mail.getKey(), mail.getValue());
        }
    }

    @Test
    void everyMessageOfThePublicCorpusIsReadBackAsItWasSent() throws Exception {
        Path corpus = Path.of(System.getProperty("oneshot.corpus"));
        assumeThat(corpus.resolve("expected.jsonl"))
                .as("the public corpus is not there: set -Doneshot.corpus to its folder")
                .exists();
        List<String> lines = Files.readAllLines(corpus.resolve("expected.jsonl"));

        Map<JsonNode, String> sent = new LinkedHashMap<>();
        for (String line : lines) {
            JsonNode expected = new ObjectMapper().readTree(line);
            sent.put(expected, send(corpus.resolve(expected.path("file").asText())));
        }

        int attachments = 0;
        for (Map.Entry<JsonNode, String> mail : sent.entrySet()) {
            String file = mail.getKey().path("file").asText();
            assertIsReadBack(corpus.resolve(file), mail.getValue());
            List<String> hashes = hashes(mail.getKey().path("attachments"));
            if (!hashes.isEmpty()) {
                assertThat(hashesOf(mail.getValue())).as(file).isEqualTo(hashes);
                attachments += hashes.size();
            }
        }

        assertThat(lines).hasSizeGreaterThan(300);
        assertThat(attachments).isGreaterThan(100);
    }

    /** Returns the id of the mail's address. */
    private String send(Path file) throws IOException {
        String id = account.createAddress();
        assertThat(Account.deliver(stack, id, Files.readAllBytes(file)))
                .as(file.toString())
                .startsWith("250");
        return id;
    }

    private void assertIsReadBack(Path file, String id) throws IOException {
        account.awaitMail(id);
        account.get(id, "/email").then().statusCode(200);
        JourneyIT.assertRawEndsWith(account.octets(id, "/email/raw"), Files.readAllBytes(file));
    }

    /**
     * Whether CR and LF occur only together, and at the end (RFC 5321 §2.3.8). MessageReader's own tests have the
     * others.
     */
    private static boolean isCarriedBySmtp(byte[] message) {
        String octets = new String(message, StandardCharsets.ISO_8859_1);
        return octets.endsWith("\r\n") && !octets.replace("\r\n", "").matches("(?s).*[\r\n].*");
    }

    /** Empty unless the hash of every attachment is known. */
    private static List<String> hashes(JsonNode attachments) {
        List<String> hashes = attachments
                .valueStream()
                .filter(attachment -> !attachment.path("optional").asBoolean(false))
                .map(attachment -> attachment.path("sha256").asText(""))
                .toList();
        return hashes.size() < attachments.size() || hashes.contains("") ? List.of() : hashes;
    }

    private List<String> hashesOf(String id) throws NoSuchAlgorithmException {
        JsonPath email = account.get(id, "/email").jsonPath();
        List<String> hashes = new ArrayList<>();
        for (int i = 0; i < email.getList("attachments").size(); i++) {
            byte[] content = account.octets(id, "/email/attachments/" + i);
            hashes.add(HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(content)));
        }
        return hashes;
    }
}
