package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.oneshot.local.stack.Service;
import dev.oneshot.local.stack.junit.SharedStack;
import java.io.IOException;
import java.nio.file.Files;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The logs of the packaged services, as a log collector reads them. */
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ)
@ResourceLock(value = OwnMailers.LOCK, mode = ResourceAccessMode.READ)
class LogIT extends StackTest {

    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    private static final String TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String TRACEPARENT = "00-" + TRACE_ID + "-00f067aa0ba902b7-01";

    @Test
    void everyLineOfAServiceIsAJsonObjectWithTheSameFields() {
        for (Service service : Service.values()) {
            // A service may be ready before it logs its start.
            List<JsonNode> lines = await().until(() -> lines(service), found -> !found.isEmpty());
            assertThat(lines).as("lines of %s", service).isNotEmpty().allSatisfy(line -> {
                assertThat(line.fieldNames())
                        .toIterable()
                        .contains("timestamp", "level", "logger", "message", "thread", "host", "service");
                assertThat(OffsetDateTime.parse(line.path("timestamp").asText()).getOffset())
                        .isEqualTo(ZoneOffset.UTC);
                assertThat(line.path("level").asText()).isIn("DEBUG", "INFO", "WARN", "ERROR");
            });
            assertThat(lines)
                    .extracting(line -> line.path("service").asText())
                    .containsOnly("oneshot-" + service.label());
        }
    }

    @Test
    void oneTraceIdLeadsFromTheRequestThroughTheOutboxToTheMailer() throws IOException {
        String apiKey = account.key();
        String id = account.request()
                .contentType("application/json")
                .header("traceparent", TRACEPARENT)
                .body(Map.of(
                        "mode",
                        "send",
                        "send",
                        Map.of("to", account.createAddress() + "@in.oneshot.localhost", "subject", "A secret subject")))
                .post("/addresses")
                .then()
                .statusCode(201)
                .extract()
                .path("id");

        await().untilAsserted(() -> {
            assertThat(messagesOfTheTrace(Service.API))
                    .singleElement()
                    .asString()
                    .startsWith("mail published addressId=" + id + " attempts=0 bytes=");
            assertThat(messagesOfTheTrace(Service.MAILER))
                    .singleElement()
                    .asString()
                    .startsWith("mail settled addressId=" + id + " outcome=RELAYED attempts=1");
        });
        for (Service service : Service.values()) {
            assertThat(text(service))
                    .as("the log of %s", service)
                    .doesNotContain(
                            apiKey,
                            stack.operatorToken(),
                            stack.addressKey(),
                            stack.database().password(),
                            "A secret subject");
        }
    }

    private List<String> messagesOfTheTrace(Service service) throws IOException {
        return lines(service).stream()
                .filter(line -> TRACE_ID.equals(line.path("mdc").path("traceId").asText()))
                .map(line -> line.path("message").asText())
                .toList();
    }

    /** Whole lines only, as the last one may be incomplete. */
    private List<JsonNode> lines(Service service) throws IOException {
        String text = text(service);
        List<JsonNode> lines = new ArrayList<>();
        for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
            lines.add(JSON.readTree(line));
        }
        return lines;
    }

    private String text(Service service) throws IOException {
        return Files.readString(stack.settings().logs().resolve(service.label() + ".log"));
    }
}
