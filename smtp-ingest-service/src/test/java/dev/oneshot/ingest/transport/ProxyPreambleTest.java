package dev.oneshot.ingest.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.ingest.SmtpClient;
import dev.oneshot.ingest.smtp.DeliveryOutcome;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ProxyPreambleTest extends OwnServers {

    private static final String HEADER = "PROXY TCP4 192.0.2.77 192.0.2.1 4711 25\r\n";

    @Test
    void clientThatIsNamedOnlyWhenTheServiceStopsIsSentAway() throws Exception {
        try (TestServer server = server();
                SmtpClient idle = SmtpClient.connect(server.port());
                SmtpClient late = SmtpClient.connect(server.port())) {
            write(idle, HEADER);
            assertThat(idle.reply()).startsWith("220 ");
            write(late, HEADER.substring(0, 20));
            await().untilAsserted(() -> assertThat(server.counts().all()).isEqualTo(2));

            server.listener().stopGently();
            assertThat(idle.reply()).startsWith("421 4.3.2 Service stopping");
            write(late, HEADER.substring(20));

            assertThat(late.reply()).startsWith("421 4.3.2 Service stopping");
            assertThat(late.reply()).isEmpty();
        }
    }

    private static void write(SmtpClient client, String text) throws Exception {
        client.write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private TestServer server() {
        return new TestServer(
                vertx,
                TestServer.policy(),
                TestServer.memoryOf(10_000_000),
                certificate.asRegistry(),
                Map.of("proxy-networks", "127.0.0.0/8"),
                _ -> CompletableFuture.completedFuture(DeliveryOutcome.STORED));
    }
}
