package dev.oneshot.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.contracts.address.AddressIdCodec;
import dev.oneshot.contracts.address.SizeClass;
import dev.oneshot.contracts.trace.TraceContext;
import dev.oneshot.ingest.net.SmtpServer;
import dev.oneshot.local.backends.quarkus.KafkaResource;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each SMTP transaction is a trace, and its records say which. */
@QuarkusTest
@WithTestResource(KafkaResource.class)
class TransactionTraceTest {

    private static final byte[] MESSAGE = "Subject: Hello\r\n\r\nHello.\r\n".getBytes(StandardCharsets.US_ASCII);

    private final SmtpServer server;
    private final AddressIdCodec codec;
    private final String brokers;

    TransactionTraceTest(
            SmtpServer server, AddressIdCodec codec, @ConfigProperty(name = "kafka.bootstrap.servers") String brokers) {
        this.server = server;
        this.codec = codec;
        this.brokers = brokers;
    }

    @BeforeEach
    void awaitThatMailIsTaken() {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(transaction(newAddress())).startsWith("250 2.0.0 "));
    }

    @Test
    void theRecordsOfATransactionAreOneTraceAndThoseOfAnotherAreNot() throws IOException {
        String first = newAddress();
        String second = newAddress();
        String third = newAddress();

        assertThat(transaction(first, second)).startsWith("250 ");
        assertThat(transaction(third)).startsWith("250 ");

        assertThat(traceIdOf(second)).isEqualTo(traceIdOf(first));
        assertThat(traceIdOf(third)).isNotEqualTo(traceIdOf(first));
    }

    private String transaction(String... ids) throws IOException {
        try (SmtpTestClient client = SmtpTestClient.greeted(server.port())) {
            client.say("MAIL FROM:<>");
            for (String id : ids) {
                client.say("RCPT TO:<" + id + "@in.oneshot.localhost>");
            }
            client.say("DATA");
            client.write(MESSAGE);
            return client.say(".");
        }
    }

    private String traceIdOf(String id) {
        ConsumerRecord<String, byte[]> record =
                InboundTopic.recordsOf(id, brokers).getFirst();
        byte[] value = Objects.requireNonNull(record.headers().lastHeader(TraceContext.HEADER))
                .value();
        return TraceContext.parse(new String(value, StandardCharsets.US_ASCII))
                .orElseThrow()
                .traceId();
    }

    private String newAddress() {
        return codec.issue(
                        SizeClass.ofMessageBytesMax(2 * 1024 * 1024),
                        Instant.now().plusSeconds(600))
                .text();
    }
}
