package dev.oneshot.ingest.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

import dev.oneshot.ingest.SmtpTestClient;
import dev.oneshot.ingest.smtp.session.DeliveryOutcome;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.formatters.PatternFormatter;
import org.junit.jupiter.api.Test;

class ProxyPreambleTest extends OwnServers {

    private static final String HEADER = "PROXY TCP4 192.0.2.77 192.0.2.1 4711 25\r\n";

    @Test
    void clientThatIsNamedOnlyWhenTheServiceStopsIsSentAway() throws Exception {
        try (SmtpTestServer server = server();
                SmtpTestClient idle = SmtpTestClient.connect(server.port());
                SmtpTestClient late = SmtpTestClient.connect(server.port())) {
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

    @Test
    void connectionWithoutAHeaderIsClosedAndTheLogSaysWhyOnceInAWhile() throws Exception {
        try (SmtpTestServer server = server();
                Warnings warnings = new Warnings()) {
            for (int i = 0; i < 2; i++) {
                try (SmtpTestClient direct = SmtpTestClient.connect(server.port())) {
                    write(direct, "EHLO client.example\r\n");
                    assertThat(direct.reply()).isEmpty();
                }
            }

            assertThat(warnings.texts)
                    .singleElement(STRING)
                    .contains("PROXY header", "peer=127.0.0.1", "something else came", "oneshot.smtp.proxy-networks");
        }
    }

    /** What the listeners warn of. */
    private static final class Warnings extends Handler implements AutoCloseable {

        private final Logger logger = Logger.getLogger(SmtpListener.class.getName());
        private final PatternFormatter formatter = new PatternFormatter("%s");
        private final List<String> texts = new CopyOnWriteArrayList<>();

        Warnings() {
            logger.addHandler(this);
        }

        @Override
        public void publish(LogRecord line) {
            if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
                texts.add(formatter.format(ExtLogRecord.wrap(line)));
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            logger.removeHandler(this);
        }
    }

    private static void write(SmtpTestClient client, String text) throws Exception {
        client.write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private SmtpTestServer server() {
        return new SmtpTestServer(
                vertx,
                SmtpTestServer.policy(),
                SmtpTestServer.memoryOf(10_000_000),
                certificate.asRegistry(),
                Map.of("proxy-networks", "127.0.0.0/8"),
                _ -> CompletableFuture.completedFuture(DeliveryOutcome.STORED));
    }
}
