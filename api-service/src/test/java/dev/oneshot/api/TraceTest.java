package dev.oneshot.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.contracts.event.Topic;
import dev.oneshot.contracts.trace.TraceContext;
import dev.oneshot.testing.LogLines;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.trace.IdGenerator;
import io.restassured.http.ContentType;
import io.restassured.specification.RequestSpecification;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The trace of a request or a record continues in Kafka and in the logs. */
@ServiceTest
class TraceTest {

    private final TestAccount account = TestAccount.onPlan("scale");

    @Test
    void theCallersTraceGoesToTheMailer() {
        String traceId = newTraceId();

        String id = send(account.request().header("traceparent", "00-" + traceId + "-00f067aa0ba902b7-00"));

        SpanContext sent = traceOf(Topic.MAIL_DUE, id);
        assertThat(sent.getTraceId()).isEqualTo(traceId);
        assertThat(sent.getSpanId()).isNotEqualTo("00f067aa0ba902b7");
        assertThat(sent.isSampled()).isFalse();
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

        assertThat(traceOf(Topic.MAIL_DUE, send(request)).getTraceId())
                .isNotEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
    }

    @Test
    void theDeletionOfAnAddressIsAnnouncedUnderItsTrace() {
        String traceId = newTraceId();
        String waiting = account.waitingAddress(600);

        account.request()
                .header("traceparent", traceparent(traceId))
                .delete("/v1/addresses/" + waiting)
                .then()
                .statusCode(204);

        assertThat(traceOf(Topic.ADDRESS_CLOSED, waiting).getTraceId()).isEqualTo(traceId);
    }

    @Test
    void theTraceOfAMailGoesBackToTheIngestNodes() {
        String traceId = newTraceId();
        String id = account.waitingAddress(600);

        TestMail.publish(TestMail.event(id, TestMail.SIMPLE), traceparent(traceId));

        assertThat(traceOf(Topic.ADDRESS_CLOSED, id).getTraceId()).isEqualTo(traceId);
    }

    @Test
    void linesOfTheLogCarryTraceAndRequestId() {
        String traceId = newTraceId();
        try (LogLines audit = LogLines.of("dev.oneshot.audit")) {
            TestAccount.operator("{\"name\":\"traced\",\"plan\":\"free\"}")
                    .header("traceparent", traceparent(traceId))
                    .header("X-Request-Id", "request-of-the-trace-test")
                    .post("/operator/accounts")
                    .then()
                    .statusCode(201);

            assertThat(audit.lines())
                    .filteredOn(line -> traceId.equals(line.getMdc("traceId")))
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

    private static SpanContext traceOf(Topic topic, String id) {
        SpanContext span = Span.fromContext(
                        TraceContext.of(TestTopic.awaitOne(topic, id).headers()))
                .getSpanContext();
        assertThat(span.isValid()).isTrue();
        return span;
    }

    private static String newTraceId() {
        return IdGenerator.random().generateTraceId();
    }

    private static String traceparent(String traceId) {
        return "00-" + traceId + "-00f067aa0ba902b7-01";
    }
}
