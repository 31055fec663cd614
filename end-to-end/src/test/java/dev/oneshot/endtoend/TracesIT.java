package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.endtoend.OtlpCollector.Reported;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Service;
import dev.oneshot.local.stack.junit.SharedStack;
import dev.oneshot.testing.ScriptedRelay;
import dev.oneshot.testing.SmtpClient;
import dev.oneshot.testing.Together;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The spans that the packaged services export: one trace for a mail received, one for a mail sent. */
@ExtendWith(SharedStack.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ_WRITE)
class TracesIT {

    private static final String TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String CLIENT_SPAN = "00f067aa0ba902b7";
    private static final List<Service> TRACED = List.of(Service.API, Service.INGEST, Service.MAILER);

    private final LocalStack stack;
    private final OtlpCollector collector = new OtlpCollector();
    private final ScriptedRelay relay = new ScriptedRelay(ScriptedRelay.FRIENDLY);
    private final Map<Service, Replica> replicas = new ConcurrentHashMap<>();
    private final Account account;

    TracesIT(LocalStack stack) throws IOException {
        this.stack = stack;
        Together.each(TRACED, this::replace);
        this.account = replica(Service.API).account("scale");
    }

    /** Replaces a service of the stack by one that exports its spans. */
    private Replica replace(Service service) throws IOException {
        stack.stop(service);
        Replica traced = Replica.of(
                stack,
                service,
                "ONESHOT_TRACING_ENDPOINT=" + collector.endpoint(),
                "ONESHOT_TRACING_HEADERS=" + OtlpCollector.KEY_FIELD + "=" + OtlpCollector.KEY,
                "QUARKUS_OTEL_BSP_SCHEDULE_DELAY=100ms",
                "ONESHOT_RELAY_PORT=" + relay.port());
        replicas.put(service, traced);
        return traced;
    }

    private Replica replica(Service service) {
        return Objects.requireNonNull(replicas.get(service));
    }

    private Service giveBack(Service service) {
        replica(service).close();
        stack.start(service);
        stack.awaitReady(service);
        return service;
    }

    @AfterAll
    void startTheServicesOfTheStack() throws IOException {
        Together.each(TRACED, this::giveBack);
        relay.close();
        collector.close();
    }

    @Test
    void oneTraceGoesFromDataToReceived() throws IOException {
        String id = account.createAddress();
        TestMail mail = TestMail.of("The subject of the trace", 1000);

        assertThat(SmtpClient.deliver(replica(Service.INGEST).port(), Account.mailbox(id), mail.octets()))
                .startsWith("250");
        account.awaitMail(id);

        Collection<Reported> trace = awaitTrace(
                traceIdOf("mail received addressId=" + id),
                "oneshot-ingest SPAN_KIND_SERVER SMTP DATA",
                "oneshot-ingest SPAN_KIND_PRODUCER send mail.inbound",
                "oneshot-api SPAN_KIND_CONSUMER process mail.inbound");
        Reported data = one(trace, "oneshot-ingest SPAN_KIND_SERVER SMTP DATA");
        assertThat(data.parentId()).isEmpty();
        assertThat(data.attribute("oneshot.outcome")).isEqualTo("STORED");
        assertIsOneTree(trace, "");
        assertHasStatements(trace, "oneshot-api SPAN_KIND_CONSUMER process mail.inbound");
        assertThatSpansLackTexts(id, mail.subject(), "ada@example.org", "client.example");
    }

    @Test
    void oneTraceGoesFromTheRequestToTheReplyOfTheRelay() {
        String to = "recipient-of-the-trace@relay.example";

        String id = account.request()
                .contentType("application/json")
                .header("traceparent", "00-" + TRACE_ID + "-" + CLIENT_SPAN + "-01")
                .body(Map.of(
                        "mode",
                        "send",
                        "send",
                        Map.of("to", to, "subject", "A subject sent", "text_body", "Your code is 834712")))
                .post("/addresses?note=" + to)
                .then()
                .statusCode(201)
                .extract()
                .path("id");

        Collection<Reported> trace = awaitTrace(
                TRACE_ID,
                "oneshot-api SPAN_KIND_SERVER POST /v1/addresses",
                "oneshot-api SPAN_KIND_PRODUCER send mail.due",
                "oneshot-mailer SPAN_KIND_CONSUMER process mail.due",
                "oneshot-mailer SPAN_KIND_CLIENT SMTP DATA",
                "oneshot-mailer SPAN_KIND_PRODUCER send mail.settled",
                "oneshot-api SPAN_KIND_CONSUMER process mail.settled");
        assertThat(one(trace, "oneshot-mailer SPAN_KIND_CLIENT SMTP DATA").attribute("smtp.reply_code"))
                .isEqualTo("250");
        assertThat(one(trace, "oneshot-api SPAN_KIND_SERVER POST /v1/addresses").parentId())
                .isEqualTo(CLIENT_SPAN);
        assertIsOneTree(trace, CLIENT_SPAN);
        assertHasStatements(trace, "oneshot-api SPAN_KIND_SERVER POST /v1/addresses");
        assertHasStatements(trace, "oneshot-api SPAN_KIND_CONSUMER process mail.settled");
        assertThat(relay.taken())
                .singleElement()
                .satisfies(mail -> assertThat(mail.to()).contains(to));
        assertThatSpansLackTexts(id, to, "A subject sent", "834712");
    }

    @Test
    void aRequestThatNamesAnAddressWhereNoneBelongsLeavesNoneInItsSpan() {
        String traceId = "0af7651916cd43dd8448eb211c80319c";

        account.request()
                .header("traceparent", "00-" + traceId + "-" + CLIENT_SPAN + "-01")
                .header("User-Agent", "agent-of-ada@example.org")
                .get("/addresses/ada@example.org?api_key=" + account.key())
                .then()
                .statusCode(404);

        String text = "oneshot-api SPAN_KIND_SERVER GET /*";
        Reported request = one(awaitTrace(traceId, text), text);
        assertThat(request.attribute("http.response.status_code")).isEqualTo("404");
        assertThatSpansLackTexts("ada@example.org");
    }

    /** Awaits a trace that has these spans. */
    private Collection<Reported> awaitTrace(String traceId, String... texts) {
        await().untilAsserted(() ->
                assertThat(collector.trace(traceId)).extracting(Reported::text).contains(texts));
        return collector.trace(traceId);
    }

    private static Reported one(Collection<Reported> trace, String text) {
        return trace.stream()
                .filter(span -> span.text().equals(text))
                .collect(Collectors.collectingAndThen(Collectors.toList(), found -> {
                    assertThat(found).as("%s of %s", text, trace).hasSize(1);
                    return found.getFirst();
                }));
    }

    /** The parent of each span but the first is a span of the trace. */
    private void assertIsOneTree(Collection<Reported> trace, String parent) {
        Set<String> ids = trace.stream().map(Reported::id).collect(Collectors.toSet());
        assertThat(trace)
                .filteredOn(span -> !ids.contains(span.parentId()))
                .singleElement()
                .satisfies(first -> assertThat(first.parentId()).isEqualTo(parent));
    }

    private static void assertHasStatements(Collection<Reported> trace, String parent) {
        String id = one(trace, parent).id();
        assertThat(trace)
                .filteredOn(span -> span.parentId().equals(id) && span.span().getKind() == SpanKind.SPAN_KIND_CLIENT)
                .extracting(span -> span.attribute("db.query.text") + span.attribute("db.statement"))
                .isNotEmpty()
                .allMatch(statement -> !statement.isEmpty());
    }

    /** No span of any trace has one of these texts, a key or an id of an address, and none has an exception's text. */
    private void assertThatSpansLackTexts(String... texts) {
        assertThat(collector.spans()).isNotEmpty().allSatisfy(reported -> {
            assertThat(reported.span().toString()).doesNotContain(texts).doesNotContain(account.key());
            assertThat(reported.span().getEventsList()).isEmpty();
        });
        // Statements outside of requests and mails are not recorded.
        assertThat(collector.spans())
                .filteredOn(span -> span.parentId().isEmpty())
                .extracting(Reported::text)
                .noneMatch(text -> text.contains("SPAN_KIND_CLIENT"));
    }

    private String traceIdOf(String beginning) {
        return await().until(() -> traceIds(replica(Service.INGEST), beginning), ids -> ids.size() == 1)
                .getFirst();
    }

    private static List<String> traceIds(Replica service, String beginning) throws IOException {
        return service.log()
                .lines()
                .filter(line -> line.contains('"' + beginning))
                .map(line -> line.replaceAll(".*\"traceId\":\"([0-9a-f]{32})\".*", "$1"))
                .toList();
    }
}
