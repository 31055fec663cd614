package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.local.stack.Service;
import dev.oneshot.local.stack.junit.SharedStack;
import dev.oneshot.testing.HoldingScript;
import dev.oneshot.testing.Together;
import io.restassured.response.Response;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The largest requests, on services with a heap of 512 MiB that exit if it does not suffice. */
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ_WRITE)
class LargeSendsIT extends OwnMailers {

    private static final int MEBIBYTE = 1024 * 1024;
    private static final int SENDS = Integer.getInteger("oneshot.large-sends", 4);

    @Test
    void manyLargestMailsAtOnceAreAllSentWithinTheHeap() throws Exception {
        List<String> bodies = List.of(body(24 * MEBIBYTE, 8 * MEBIBYTE), text(32 * MEBIBYTE));
        ProcessHandle api = stack.process(Service.API);
        try (Replica mailer = mailer("ONESHOT_MAILER_RETRY_FIRST_PAUSE=1s")) {
            AtomicInteger next = new AtomicInteger();
            List<String> ids =
                    Together.times(SENDS, () -> sendUntilAccepted(bodies.get(next.getAndIncrement() % bodies.size())));

            for (String id : ids) {
                await().until(() -> relay.taken(id).size() == 1);
                assertThat(awaitOutcome(id)).isEqualTo("relayed");
            }
            assertThat(api.isAlive()).isTrue();
            assertThat(mailer.isAlive()).isTrue();
        }
    }

    /** Retries on a 503, as a client should. */
    private String sendUntilAccepted(String body) {
        Response response = account.post(body);
        while (response.statusCode() == 503 || response.statusCode() == 429) {
            assertThat(response.header("Retry-After")).isNotNull();
            response = account.post(body);
        }
        assertThat(response.statusCode()).as(response.asString()).isEqualTo(201);
        return response.path("id");
    }

    /** A request with two attachments of zeros, of these sizes. */
    private static String body(int first, int second) {
        return """
                {"mode":"send","send":{"to":"%s","subject":"Large","attachments":[
                {"filename":"a","content_type":"application/octet-stream","content_base64":"%s"},
                {"filename":"b","content_type":"application/octet-stream","content_base64":"%s"}]}}""".formatted(HoldingScript.SECOND_TIME, zeros(first), zeros(second));
    }

    /** A request with a text of this size. */
    private static String text(int octets) {
        return """
                {"mode":"send","send":{"to":"%s","subject":"Large","text_body":"%s"}}""".formatted(HoldingScript.SECOND_TIME, "sixteen octets, ".repeat(octets / 16));
    }

    private static String zeros(int octets) {
        return Base64.getEncoder().encodeToString(new byte[octets]);
    }
}
