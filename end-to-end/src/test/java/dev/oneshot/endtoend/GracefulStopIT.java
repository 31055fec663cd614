package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.local.stack.Health;
import dev.oneshot.local.stack.Service;
import dev.oneshot.local.stack.junit.SharedStack;
import dev.oneshot.testing.RawConnection;
import dev.oneshot.testing.SmtpClient;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A replica that is stopped during work, as at every upgrade, completes it. */
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ)
class GracefulStopIT extends StackTest {

    /** 128 and the number of SIGTERM: the JVM ended by its shutdown hooks. */
    private static final int ENDED_BY_ITSELF = 143;

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @Test
    void stoppingServiceRespondsToARequestThatHasBegun() throws Exception {
        String body = "{\"label\": \"begun before the end\"}";
        String begun = "POST /v1/addresses HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                + "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\nAuthorization: Bearer "
                + account.key() + "\r\n\r\n" + body.substring(0, 10);
        try (Replica api = Replica.of(stack, Service.API);
                Socket client = RawConnection.begin(api.port(), begun)) {
            // Given
            String underWay =
                    "http_server_active_requests{server_port=\"%d\",url_scheme=\"http\",} 1.0".formatted(api.port());
            await().until(() -> api.metrics().scrape().contains(underWay));

            // When
            CompletableFuture<Integer> end = api.terminate();

            // Then
            await().until(() -> !Health.isReady(api.managementPort()));
            assertThat(api.isAlive()).isTrue();
            client.getOutputStream().write(body.substring(10).getBytes(StandardCharsets.US_ASCII));
            String response = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(response).startsWith("HTTP/1.1 201 ");
            String id = JsonPath.from(response.substring(response.indexOf("\r\n\r\n")))
                    .getString("id");
            assertThat(account.get(id, "").<String>path("label")).isEqualTo("begun before the end");
            assertThat(end.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(ENDED_BY_ITSELF);
        }
    }

    @Test
    void clientsOfAStoppingServiceAreToldToConnectAgain() throws Exception {
        String request = "GET /v1/account HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + account.key() + "\r\n\r\n";
        try (Replica api = Replica.of(stack, Service.API, "QUARKUS_SHUTDOWN_DELAY=20s");
                Socket kept = RawConnection.begin(api.port(), "")) {
            // When
            CompletableFuture<Integer> end = api.terminate();

            // Then
            await().until(() -> !Health.isReady(api.managementPort()));
            kept.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            // Both requests begin within the delay, however long a busy machine needs for the responses.
            try (Socket late = RawConnection.begin(api.port(), request)) {
                assertLast(kept);
                assertLast(late);
            }
            assertThat(end.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(ENDED_BY_ITSELF);
        }
    }

    private static void assertLast(Socket client) throws IOException {
        String response = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertThat(response).startsWith("HTTP/1.1 200 ").containsIgnoringCase("\r\nconnection: close\r\n");
    }

    @Test
    void mailThatHasBegunIsTakenByANodeThatTakesNoOther() throws Exception {
        byte[] mail = TestMail.of("Begun before the end", 50_000).octets();
        String id = account.createAddress();
        try (Replica ingest = Replica.of(stack, Service.INGEST);
                SmtpClient idle = SmtpClient.greeted(ingest.port());
                SmtpClient sender = SmtpClient.greeted(ingest.port())) {
            // Given
            assertThat(sender.begin(Account.mailbox(id))).startsWith("354");
            sender.content(Arrays.copyOf(mail, mail.length / 2));

            // When
            CompletableFuture<Integer> end = ingest.terminate();

            // Then
            assertThat(idle.reply()).startsWith("421 4.3.2");
            try (SmtpClient late = SmtpClient.connect(ingest.port())) {
                assertThat(late.reply()).startsWith("421 4.3.2");
            }
            sender.content(Arrays.copyOfRange(mail, mail.length / 2, mail.length));
            assertThat(sender.say(".")).startsWith("250");
            assertThat(sender.reply()).startsWith("421 4.3.2");
            assertThat(end.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(ENDED_BY_ITSELF);
        }
        account.awaitMail(id);
        JourneyIT.assertRawEndsWith(account.octets(id, "/email/raw"), mail);
    }
}
