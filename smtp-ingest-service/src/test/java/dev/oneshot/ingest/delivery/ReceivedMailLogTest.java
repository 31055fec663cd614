package dev.oneshot.ingest.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.contracts.address.AddressIdCodec;
import dev.oneshot.contracts.address.SizeClass;
import dev.oneshot.ingest.net.SmtpServer;
import dev.oneshot.local.backends.quarkus.KafkaResource;
import dev.oneshot.testing.LogLines;
import dev.oneshot.testing.SmtpClient;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What is left of a mail in the log. */
@QuarkusTest
@WithTestResource(KafkaResource.class)
class ReceivedMailLogTest {

    private static final byte[] MESSAGE =
            "From: private@from.example\r\nSubject: secret\r\n\r\nbody\r\n".getBytes(StandardCharsets.US_ASCII);

    private final SmtpServer server;
    private final AddressIdCodec codec;

    ReceivedMailLogTest(SmtpServer server, AddressIdCodec codec) {
        this.server = server;
        this.codec = codec;
    }

    @Test
    void oneLineSaysWhereAMailCameFromAndNothingOfItsContent() {
        try (LogLines log = LogLines.of(KafkaMailDelivery.class)) {
            String id = codec.issue(
                            SizeClass.ofMessageBytesMax(2 * 1024 * 1024),
                            Instant.now().plusSeconds(600))
                    .text();

            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                try (SmtpClient client = SmtpClient.greeted(server.port())) {
                    assertThat(client.send(id + "@in.oneshot.localhost", MESSAGE))
                            .startsWith("250 2.0.0 ");
                }
            });

            assertThat(log.texts())
                    .filteredOn(line -> line.contains(id))
                    .singleElement()
                    .asString()
                    .matches(
                            "INFO mail received addressId=" + id
                                    + " client=127\\.0\\.0\\.1 senderDomain=example\\.org bytes=\\d+ tls=none transaction=\\S+ ");
        }
    }
}
