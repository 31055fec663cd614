package dev.oneshot.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.contracts.event.Topic;
import dev.oneshot.contracts.trace.TraceContext;
import dev.oneshot.testing.LogLines;
import io.restassured.http.ContentType;
import io.restassured.specification.RequestSpecification;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The trace of a request or a record continues in Kafka and in the logs. */
@ServiceTest
class TraceTest {

    private final TestAccount account = TestAccount.onPlan("scale");

    @Test
    void theCallersTraceGoesToTheMailer() {
        TraceContext caller = new TraceContext(TraceContext.create().traceId(), "00f067aa0ba902b7", false);

        String id = send(account.request().header("traceparent", caller.traceparent()));

        TraceContext sent = traceOf(Topic.MAIL_DUE, id);
        assertThat(sent.traceId()).isEqualTo(caller.traceId());
        assertThat(sent.spanId()).isNotEqualTo(caller.spanId());
        assertThat(sent.sampled()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
            })
    void withoutOneValidTraceARequestBeginsOne(String traceparents) {
        RequestSpecification request = account.request();
        for (String traceparent : traceparents.split(" ", -1)) {
            request.header("traceparent", traceparent);
        }

        assertThat(traceOf(Topic.MAIL_DUE, send(request)).traceId()).isNotEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
    }

    @Test
    void theDeletionOfAnAddressIsAnnouncedUnderItsTrace() {
        TraceContext caller = TraceContext.create();
        String waiting = account.waitingAddress(600);

        account.request()
                .header("traceparent", caller.traceparent())
                .delete("/v1/addresses/" + waiting)
                .then()
                .statusCode(204);

        assertThat(traceOf(Topic.ADDRESS_CLOSED, waiting).traceId()).isEqualTo(caller.traceId());
    }

    @Test
    void theTraceOfAMailGoesBackToTheIngestNodes() {
        TraceContext transaction = TraceContext.create();
        String id = account.waitingAddress(600);

        TestMail.publish(TestMail.event(id, TestMail.SIMPLE), transaction);

        assertThat(traceOf(Topic.ADDRESS_CLOSED, id).traceId()).isEqualTo(transaction.traceId());
    }

    @Test
    void linesOfTheLogCarryTraceAndRequestId() {
        TraceContext caller = TraceContext.create();
        try (LogLines audit = LogLines.of("dev.oneshot.audit")) {
            TestAccount.operator("{\"name\":\"traced\",\"plan\":\"free\"}")
                    .header("traceparent", caller.traceparent())
                    .header("X-Request-Id", "request-of-the-trace-test")
                    .post("/operator/accounts")
                    .then()
                    .statusCode(201);

            assertThat(audit.lines())
                    .filteredOn(line -> caller.traceId().equals(line.getMdc("traceId")))
                    .singleElement()
                    .satisfies(line -> {
                        assertThat(line.getMdc("requestId")).isEqualTo("request-of-the-trace-test");
                        assertThat(line.getMessage()).startsWith("audit operator action=");
                    });
        }
    }

    private static String send(RequestSpecification request) {
        return request.contentType(ContentType.JSON)
                .body(TestAccount.SEND)
                .post("/v1/addresses")
                .then()
                .statusCode(201)
                .extract()
                .path("id");
    }

    private static TraceContext traceOf(Topic topic, String id) {
        byte[] value = Objects.requireNonNull(
                        TestTopic.awaitOne(topic, id).headers().lastHeader("traceparent"))
                .value();
        return TraceContext.parse(new String(value, StandardCharsets.US_ASCII)).orElseThrow();
    }
}
