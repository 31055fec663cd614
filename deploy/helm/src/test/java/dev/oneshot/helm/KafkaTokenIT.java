package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.oneshot.local.backends.LoopbackPorts;
import dev.oneshot.local.backends.TemporaryBackends;
import dev.oneshot.local.stack.ChildProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged service with the chart's environment and JVM options for OAUTHBEARER. */
class KafkaTokenIT {

    private static final Duration START = Duration.ofMinutes(5);
    private static final String JAAS =
            "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required clientId=\"oneshot\""
                    + " clientSecret=\"not-a-secret\" scope=\"kafka\";";

    @Test
    void serviceGetsATokenFromTheEndpointOfTheValuesAndStarts(@TempDir Path directory) throws Exception {
        // Given
        Queue<String> requests = new ConcurrentLinkedQueue<>();
        HttpServer endpoint = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        endpoint.createContext("/token", exchange -> giveToken(exchange, requests));
        endpoint.start();
        Manifests manifests = Chart.install(Chart.smallestWith(
                """
                secrets: {addressKeys: {existingSecret: keys}}
                kafka:
                  bootstrapServers: 127.0.0.1:%d
                  securityProtocol: SASL_PLAINTEXT
                  sasl:
                    existingSecret: kafka
                    mechanism: OAUTHBEARER
                    oauthbearer: {tokenEndpointUrl: "http://127.0.0.1:%d/token"}
                ingest: {smtp: {containerPort: 2525}}
                """.formatted(LoopbackPorts.free(), endpoint.getAddress().getPort()), directory));
        Container ingest = Container.of(
                manifests,
                "ingest",
                Map.of("keys/address-keys", TemporaryBackends.ADDRESS_KEY, "kafka/sasl.jaas.config", JAAS),
                directory);

        // When
        ChildProcess process = ingest.start("ingest", Container.onLoopback(0), directory);

        // Then
        try {
            await().atMost(START)
                    .untilAsserted(() -> assertThat(Files.readString(directory.resolve("ingest.log")))
                            .contains("smtp listening"));
            assertThat(requests)
                    .isNotEmpty()
                    .allSatisfy(request -> assertThat(request)
                            .isEqualTo("oneshot:not-a-secret grant_type=client_credentials&scope=kafka"));
        } finally {
            process.stop();
            endpoint.stop(0);
        }
    }

    private static void giveToken(HttpExchange exchange, Queue<String> requests) throws IOException {
        try (exchange) {
            String client =
                    exchange.getRequestHeaders().getFirst("Authorization").substring("Basic ".length());
            requests.add(new String(Base64.getDecoder().decode(client), StandardCharsets.UTF_8) + " "
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            long now = Instant.now().getEpochSecond();
            String token = base64("{\"alg\":\"none\"}") + "."
                    + base64("{\"sub\":\"oneshot\",\"scope\":\"kafka\",\"iat\":%d,\"exp\":%d}"
                            .formatted(now, now + 3600))
                    + "." + base64("signature");
            byte[] body = "{\"access_token\":\"%s\",\"token_type\":\"Bearer\",\"expires_in\":3600}"
                    .formatted(token)
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
