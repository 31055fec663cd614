package dev.oneshot.ingest.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.oneshot.ingest.memory.MessageMemory;
import dev.oneshot.ingest.transcript.Delivered;
import dev.oneshot.ingest.transcript.Transcript;
import dev.oneshot.ingest.transcript.Transcript.Step;
import dev.oneshot.testing.TrustingTls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every transcript against the server over a socket: the client waiting for each reply, and sending all in one go. */
class SocketTranscriptTest extends OwnServers {

    private static final int READ_TIMEOUT_MILLIS = 10_000;

    @TestFactory
    Stream<DynamicTest> isPlayedReplyByReply() throws IOException {
        return Transcript.all().stream().map(t -> dynamicTest(t.toString(), () -> play(t, true)));
    }

    @TestFactory
    Stream<DynamicTest> isPlayedInOneGo() throws IOException {
        return Transcript.all().stream().map(t -> dynamicTest(t.toString(), () -> play(t, false)));
    }

    private void play(Transcript transcript, boolean waiting) throws Exception {
        Delivered delivered = new Delivered(transcript);
        MessageMemory memory = new MessageMemory(
                transcript.memoryBytesMax(), transcript.policy().messageBytesMax() + 64 * 1024, Duration.ZERO);
        try (SmtpTestServer server = new SmtpTestServer(
                        vertx,
                        transcript.policy(),
                        memory,
                        certificate.asRegistry(),
                        Map.of("tls-configuration-name", "smtp"),
                        transaction -> CompletableFuture.supplyAsync(() -> delivered.take(transaction)));
                Client client = new Client(server.port())) {
            List<Step> steps = waiting ? transcript.steps() : inOneGo(transcript.steps());
            for (Step step : steps) {
                switch (step) {
                    case Step.Send send -> client.send(send.octets());
                    case Step.Expect _ -> client.readLine();
                    case Step.Handshake _ -> client.handshake();
                }
            }
            if (transcript.closes()) {
                client.endSending();
                assertThat(client.readLine()).as("after the end").isFalse();
            }
            assertThat(client.replies()).matches(transcript.replies());
        }
        delivered.check();
        await().pollDelay(Duration.ZERO)
                .untilAsserted(() -> assertThat(memory.reserved())
                        .as("memory held in the end")
                        .isZero());
    }

    /** All that is sent first, then all that is expected, up to each handshake. */
    private static List<Step> inOneGo(List<Step> steps) {
        List<Step> ordered = new ArrayList<>();
        ByteArrayOutputStream sends = new ByteArrayOutputStream();
        List<Step> expects = new ArrayList<>();
        for (Step step : steps) {
            switch (step) {
                case Step.Send send -> sends.writeBytes(send.octets());
                case Step.Expect expect -> expects.add(expect);
                case Step.Handshake handshake -> {
                    ordered.add(new Step.Send(sends.toByteArray()));
                    ordered.addAll(expects);
                    ordered.add(handshake);
                    sends.reset();
                    expects.clear();
                }
            }
        }
        ordered.add(new Step.Send(sends.toByteArray()));
        ordered.addAll(expects);
        return ordered;
    }

    private static final class Client implements AutoCloseable {

        private final ByteArrayOutputStream replies = new ByteArrayOutputStream();
        private Socket socket;

        Client(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(READ_TIMEOUT_MILLIS);
        }

        void send(byte[] octets) throws IOException {
            try {
                socket.getOutputStream().write(octets);
                socket.getOutputStream().flush();
            } catch (SocketException e) {
                // The server has closed within the group; its replies tell whether that was right.
                assertThat(e).hasMessageContaining("Broken pipe");
            }
        }

        boolean readLine() throws IOException {
            InputStream input = socket.getInputStream();
            int octet = input.read();
            while (octet >= 0) {
                replies.write(octet);
                if (octet == '\n') {
                    return true;
                }
                octet = input.read();
            }
            return false;
        }

        /** Spares the server waiting whether more comes. */
        void endSending() throws IOException {
            if (!(socket instanceof SSLSocket)) {
                socket.shutdownOutput();
            }
        }

        void handshake() throws Exception {
            socket = TrustingTls.handshake(socket);
        }

        String replies() {
            return replies.toString(StandardCharsets.UTF_8);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
