package dev.oneshot.ingest.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.ingest.smtp.session.DeliveryOutcome;
import dev.oneshot.ingest.smtp.session.MailTransaction;
import dev.oneshot.testing.SmtpClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that send all commands, shut down their sending side, and read the replies. */
class HalfClosureTest extends OwnServers {

    private static final String UP_TO_DATA =
            "EHLO client.example\r\nMAIL FROM:<sender@example.org>\r\nRCPT TO:<open@in.example>\r\nDATA\r\n";

    private static final String MESSAGE = "Subject: x\r\n\r\nx\r\n.\r\n";

    @Test
    void messageThatIsNotWholeIsGivenUp() throws Exception {
        try (SmtpTestServer server = server(Map.of());
                SmtpClient client = SmtpClient.connect(server.port())) {
            sayAll(client, UP_TO_DATA + "Subject: x\r\n");

            assertThat(codes(client)).containsExactly("220", "250", "250", "250", "354");
            await().untilAsserted(() -> assertThat(server.memory().reserved()).isZero());
            await().untilAsserted(() -> assertThat(server.connections()).isZero());
        }
    }

    /** Also to commands that waited for the delivery, so many that they come in several pieces; and without QUIT. */
    @ParameterizedTest
    @CsvSource({"0, false", "5000, true"})
    void everyReplyArrives(int noops, boolean quits) throws Exception {
        String said = "NOOP\r\n".repeat(noops) + (quits ? "QUIT\r\n" : "");
        CompletableFuture<MailTransaction> delivering = new CompletableFuture<>();
        CompletableFuture<DeliveryOutcome> outcome = new CompletableFuture<>();
        try (SmtpTestServer server = server(Map.of(), transaction -> {
                    delivering.complete(transaction);
                    return outcome;
                });
                SmtpClient client = SmtpClient.connect(server.port())) {
            sayAll(client, UP_TO_DATA + MESSAGE + said);
            delivering.join();
            // The same event loop has now read the end of input of the first client.
            try (SmtpClient another = SmtpClient.greeted(server.port())) {
                assertThat(another.say("NOOP")).startsWith("250 ");
            }

            outcome.complete(DeliveryOutcome.STORED);

            assertThat(String.join(" ", codes(client)))
                    .isEqualTo("220 250 250 250 354 250" + " 250".repeat(noops) + (quits ? " 221" : ""));
            await().untilAsserted(() -> assertThat(server.connections()).isZero());
        }
    }

    /** The codes of all replies until the server closes. */
    private static List<String> codes(SmtpClient client) throws IOException {
        List<String> codes = new ArrayList<>();
        for (String reply = client.reply(); !reply.isEmpty(); reply = client.reply()) {
            codes.add(reply.substring(0, 3));
        }
        return codes;
    }

    private static void sayAll(SmtpClient client, String said) throws IOException {
        client.write(said);
        client.socket().shutdownOutput();
    }
}
