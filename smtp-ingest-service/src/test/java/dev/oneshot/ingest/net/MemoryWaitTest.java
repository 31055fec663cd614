package dev.oneshot.ingest.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.ingest.memory.MessageMemory;
import dev.oneshot.ingest.smtp.session.MailTransaction;
import dev.oneshot.testing.LogLines;
import dev.oneshot.testing.SmtpClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages without memory, over a socket: large ones wait, and so do their clients; small ones do not. */
class MemoryWaitTest extends OwnServers {

    private static final int LARGEST = (1 << 20) + 64 * 1024;
    private static final int MEMORY = 3 * LARGEST;
    private static final int LARGE_BYTES = 500_000;
    private static final byte[] LARGE = message(LARGE_BYTES);
    private static final byte[] SMALL = message(10_000);
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final Duration SHORT = Duration.ofSeconds(3);

    private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();

    @AfterAll
    void closeClients() {
        clients.close();
    }

    @Test
    void chunksThatWaitTakeTheirPipelinedCommandsAlong() throws Exception {
        MessageMemory memory = memory(LONG);
        // There is memory for the bytes already read, and none for the beginning of the message.
        OtherMessages others = OtherMessages.all(memory, LARGEST, 100);
        try (SmtpTestServer server = server(memory, Map.of());
                SmtpClient client = SmtpClient.greeted(server.port())) {
            client.write("MAIL FROM:<>\r\nRCPT TO:<open@in.example>\r\nBDAT 3\r\nabcBDAT 0 LAST\r\nQUIT\r\n");
            assertThat(client.reply()).startsWith("250 ");
            assertThat(client.reply()).startsWith("250 ");
            await().until(() -> memory.waiting() == 1);

            others.go();

            assertThat(client.reply()).startsWith("250 2.0.0 3 octets");
            assertThat(client.reply()).startsWith("250 2.0.0 Stored");
            assertThat(client.reply()).startsWith("221 ");
            assertThat(text(stored.element())).endsWith("abc");
        }
    }

    @Test
    void messageThatHasWaitedForTheWholeTimeIsRefusedAndTheLogSaysWhy() throws Exception {
        MessageMemory memory = memory(Duration.ofMillis(50));
        OtherMessages.large(memory, LARGEST);
        long before = memory.reserved();
        try (SmtpTestServer server = server(memory, Map.of());
                LogLines log = LogLines.of(SmtpMetrics.class)) {
            assertThat(send(server, LARGE).get()).startsWith("452 4.3.1 ");

            assertThat(memory.waiting()).isZero();
            await().untilAsserted(() -> assertThat(memory.reserved()).isEqualTo(before));
            assertThat(stored).isEmpty();
            assertThat(log.texts())
                    .singleElement()
                    .asString()
                    .matches("WARN mail refused for memory code=452 messages=1"
                            + " exhausted=oneshot.smtp.memory-bytes-max reserved=\\d+ max=" + MEMORY);
        }
    }

    /** Bytes that are read while a session waits for anything but memory are not counted. */
    @Test
    void littleIsReadOfWhatCannotBeHandledYet() throws Exception {
        int clientCount = 16;
        MessageMemory memory = new MessageMemory(8L * LARGEST, LARGEST, LONG);
        try (SmtpTestServer server = server(memory, Map.of())) {
            List<SmtpClient> senders = new ArrayList<>();
            for (int i = 0; i < clientCount; i++) {
                SmtpClient client = SmtpClient.greeted(server.port());
                senders.add(client);
                // Makes Netty read as much at once as it may.
                assertThat(client.send("open@in.example", LARGE)).startsWith("250 ");
            }
            await().untilAsserted(() -> assertThat(memory.reserved()).isZero());
            OtherMessages others = OtherMessages.large(memory, LARGEST);
            long before = memory.reserved();

            List<Future<String>> replies = new ArrayList<>();
            for (int i = 0; i < clientCount; i++) {
                replies.add(sendInTwo(senders.get(i), i * 4096));
            }
            await().until(() -> memory.waiting() == clientCount);

            assertThat((memory.reserved() - before) / clientCount)
                    .isBetween((long) MessageMemory.SMALL, (long) MessageMemory.SMALL + SmtpSocket.READ_BYTES_MAX);
            others.go();
            for (Future<String> reply : replies) {
                assertThat(reply.get()).startsWith("250 2.0.0 Stored");
            }
        }
    }

    @Test
    void clientGets354OnlyWhenThereIsRoomForTheBeginningOfItsMessage() throws Exception {
        MessageMemory memory = memory(LONG);
        OtherMessages others = OtherMessages.all(memory, LARGEST, 0);
        try (SmtpTestServer server = server(memory, Map.of());
                SmtpClient client = SmtpClient.greeted(server.port())) {
            client.say("MAIL FROM:<>");
            client.say("RCPT TO:<open@in.example>");
            client.write("DATA\r\n");
            await().until(() -> memory.waiting() == 1);
            assertThat(client.socket().getInputStream().available()).isZero();

            others.go();

            assertThat(client.reply()).startsWith("354 ");
            client.write(SMALL);
            assertThat(client.say(".")).startsWith("250 2.0.0 Stored");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void clientThatGoesOrIsSentAwayWhileItWaitsLeavesNothingBehind(boolean serviceStops) throws Exception {
        // The server does not read the end of the connection before the wait is over.
        MessageMemory memory = memory(serviceStops ? LONG : SHORT);
        OtherMessages.large(memory, LARGEST);
        long before = memory.reserved();
        try (SmtpTestServer server = server(memory, Map.of());
                SmtpClient client = inData(server)) {
            client.write(message(100_000));
            await().until(() -> memory.waiting() == 1);

            if (serviceStops) {
                server.listener().stopNow();
                assertThat(client.reply()).startsWith("421 4.3.2 Service stopping");
            } else {
                client.socket().close();
            }

            await().until(() -> memory.waiting() == 0);
            await().untilAsserted(() -> assertThat(memory.reserved()).isEqualTo(before));
        }
    }

    @Test
    void smallMailDoesNotWaitForTwentyLargeOnesWhichAreTakenAsTheyCameOnceThereIsRoom() throws Exception {
        MessageMemory memory = new MessageMemory(8L * LARGEST, LARGEST, LONG);
        OtherMessages others = OtherMessages.large(memory, LARGEST);
        try (SmtpTestServer server = server(memory, Map.of())) {
            List<Future<String>> large = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                large.add(send(server, LARGE));
            }
            await().until(() -> memory.waiting() == 20);

            assertThat(send(server, SMALL).get()).startsWith("250 2.0.0 Stored");

            assertThat(memory.waiting()).isEqualTo(20);
            others.go();
            for (Future<String> reply : large) {
                assertThat(reply.get()).startsWith("250 2.0.0 Stored");
            }
            assertThat(stored)
                    .extracting(MemoryWaitTest::text)
                    .filteredOn(text -> text.endsWith(new String(LARGE, StandardCharsets.US_ASCII)))
                    .hasSize(20);
            await().untilAsserted(() -> assertThat(memory.reserved()).isZero());
        }
    }

    @Test
    void clientAtTheHeadThatFallsSilentIsSentAwayAndTheNextOneHasItsPlace() throws Exception {
        MessageMemory memory = memory(LONG);
        assertThat(new OtherMessages(memory).take(LARGEST)).isTrue();
        try (SmtpTestServer server = server(memory, Map.of("data-timeout", SHORT.toString()));
                SmtpClient head = inData(server)) {
            head.write(message(LARGE_BYTES));
            await().until(() -> memory.reserved() > LARGEST + MessageMemory.SMALL);
            Future<String> next = send(server, LARGE);
            await().until(() -> memory.waiting() == 1);

            assertThat(head.reply()).startsWith("421 4.4.2 Data too slow");
            assertThat(next.get()).startsWith("250 2.0.0 Stored");
        }
    }

    private Future<String> send(SmtpTestServer server, byte[] message) {
        return clients.submit(() -> {
            try (SmtpClient client = SmtpClient.greeted(server.port())) {
                return client.send("open@in.example", message);
            }
        });
    }

    private Future<String> sendInTwo(SmtpClient sender, int first) {
        return clients.submit(() -> {
            try (SmtpClient client = sender) {
                client.begin("open@in.example");
                client.write(Arrays.copyOf(LARGE, first));
                client.write(Arrays.copyOfRange(LARGE, first, LARGE.length));
                return client.say(".");
            }
        });
    }

    private static SmtpClient inData(SmtpTestServer server) throws IOException {
        SmtpClient client = SmtpClient.greeted(server.port());
        client.begin("open@in.example");
        return client;
    }

    private static MessageMemory memory(Duration waitMax) {
        return new MessageMemory(MEMORY, LARGEST, waitMax);
    }

    private static String text(MailTransaction transaction) {
        return new String(transaction.octets().toByteArray(), StandardCharsets.US_ASCII);
    }

    /** About this many bytes, in lines without a dot at their beginning. */
    private static byte[] message(int octets) {
        return ("Subject: x\r\n\r\n" + "a line of the text\r\n".repeat(octets / 20))
                .getBytes(StandardCharsets.US_ASCII);
    }
}
