package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.local.stack.Service;
import dev.oneshot.local.stack.junit.SharedStack;
import dev.oneshot.testing.HoldingScript;
import dev.oneshot.testing.ScriptedRelay;
import dev.oneshot.testing.Together;
import io.restassured.response.Response;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The largest requests, on services with a heap of 512 MiB that exit if it does not suffice. */
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ_WRITE)
class LargeSendsIT extends StackTest {

    private static final int MEBIBYTE = 1024 * 1024;
    private static final int SENDS = Integer.getInteger("oneshot.large-sends", 4);

    @Test
    void manyLargestMailsAtOnceAreAllSentWithinTheHeap() throws Exception {
        List<byte[]> bodies = List.of(body(24 * MEBIBYTE, 8 * MEBIBYTE), text(32 * MEBIBYTE));
        ProcessHandle api = stack.process(Service.API);
        stack.stop(Service.MAILER);
        try (ScriptedRelay relay = new ScriptedRelay(new HoldingScript());
                Replica mailer = mailer(relay)) {
            AtomicInteger next = new AtomicInteger();
            List<String> ids =
                    Together.times(SENDS, () -> sendUntilAccepted(bodies.get(next.getAndIncrement() % bodies.size())));

            for (String id : ids) {
                await().until(() -> relay.taken(id).size() == 1);
                assertThat(Operator.of(stack).awaitOutcome(id)).isEqualTo("relayed");
            }
            assertThat(api.isAlive()).isTrue();
            assertThat(mailer.isAlive()).isTrue();
        } finally {
            stack.start(Service.MAILER);
            stack.awaitReady(Service.MAILER);
        }
    }

    private Replica mailer(ScriptedRelay relay) throws IOException {
        return Replica.of(
                stack, Service.MAILER, "ONESHOT_RELAY_PORT=" + relay.port(), "ONESHOT_MAILER_RETRY_FIRST_PAUSE=1s");
    }

    /** Retries on a 503, as a client should. */
    private String sendUntilAccepted(byte[] body) {
        Response response = post(body);
        while (response.statusCode() == 503 || response.statusCode() == 429) {
            assertThat(response.header("Retry-After")).isNotNull();
            response = post(body);
        }
        assertThat(response.statusCode()).as(response.asString()).isEqualTo(201);
        return response.path("id");
    }

    private Response post(byte[] body) {
        return account.request().contentType("application/json").body(body).post("/addresses");
    }

    /** A request with two attachments of zeros, of these sizes. */
    private static byte[] body(int first, int second) {
        return """
                {"mode":"send","send":{"to":"%s","subject":"Large","attachments":[
                {"filename":"a","content_type":"application/octet-stream","content_base64":"%s"},
                {"filename":"b","content_type":"application/octet-stream","content_base64":"%s"}]}}""".formatted(HoldingScript.SECOND_TIME, zeros(first), zeros(second))
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** A request with a text of this size. */
    private static byte[] text(int octets) {
        return """
                {"mode":"send","send":{"to":"%s","subject":"Large","text_body":"%s"}}""".formatted(HoldingScript.SECOND_TIME, "sixteen octets, ".repeat(octets / 16))
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static String zeros(int octets) {
        return Base64.getEncoder().encodeToString(new byte[octets]);
    }
}
