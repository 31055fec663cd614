package dev.oneshot.ingest.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

import dev.oneshot.testing.LogLines;
import dev.oneshot.testing.SmtpClient;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProxyPreambleTest extends OwnServers {

    private static final String HEADER = "PROXY TCP4 192.0.2.77 192.0.2.1 4711 25\r\n";

    @Test
    void clientThatIsNamedOnlyWhenTheServiceStopsIsSentAway() throws Exception {
        try (SmtpTestServer server = server(Map.of("proxy-networks", "127.0.0.0/8"));
                SmtpClient idle = SmtpClient.connect(server.port());
                SmtpClient late = SmtpClient.connect(server.port())) {
            idle.write(HEADER);
            assertThat(idle.reply()).startsWith("220 ");
            late.write(HEADER.substring(0, 20));
            await().untilAsserted(() -> assertThat(server.connections()).isEqualTo(2));

            server.listener().stopGently();
            assertThat(idle.reply()).startsWith("421 4.3.2 Service stopping");
            late.write(HEADER.substring(20));

            assertThat(late.reply()).startsWith("421 4.3.2 Service stopping");
            assertThat(late.reply()).isEmpty();
        }
    }

    @Test
    void connectionWithoutAHeaderIsClosedAndTheLogSaysWhyOnceInAWhile() throws Exception {
        try (SmtpTestServer server = server(Map.of("proxy-networks", "127.0.0.0/8"));
                LogLines log = LogLines.of(SmtpListener.class)) {
            for (int i = 0; i < 2; i++) {
                try (SmtpClient direct = SmtpClient.connect(server.port())) {
                    direct.write("EHLO client.example\r\n");
                    assertThat(direct.reply()).isEmpty();
                }
            }

            assertThat(log.texts())
                    .singleElement(STRING)
                    .contains("PROXY header", "peer=127.0.0.1", "something else came", "oneshot.smtp.proxy-networks");
        }
    }
}
