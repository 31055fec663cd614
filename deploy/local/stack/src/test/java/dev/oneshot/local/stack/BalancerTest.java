package dev.oneshot.local.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.oneshot.local.backends.LoopbackPorts;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BalancerTest {

    private static final int CONNECTIONS = 4;
    private static final int RESTARTS = 100;

    private final Backend one = new Backend("one");
    private final Backend two = new Backend("two");
    private final Balancer.Replica first = one.replica();
    private final Balancer.Replica second = two.replica();
    private final int port = LoopbackPorts.free();
    private Balancer balancer;

    @BeforeEach
    void start() {
        balancer = new Balancer(port, List.of(first, second));
    }

    @AfterEach
    void stop() {
        balancer.close();
        one.server.stop(0);
        two.server.stop(0);
    }

    @Test
    void connectionsGoToAllReplicas() throws IOException {
        assertThat(reached()).containsExactlyInAnyOrder("one", "two");
    }

    @Test
    void aReplicaThatIsDrainedGetsNone() throws IOException {
        first.drain(true);

        assertThat(reached()).containsExactly("two");
    }

    @Test
    void aReplicaThatIsNotReadyGetsNoneUntilItIs() {
        one.status.set(503);
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(reached()).containsExactly("two"));

        one.status.set(200);
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(reached()).containsExactlyInAnyOrder("one", "two"));
    }

    @Test
    void aReplicaThatRefusesIsPassedOver() throws IOException {
        one.server.stop(0);

        assertThat(reached()).containsExactly("two");
    }

    @Test
    void whatIsSentDuringACutArrivesAfterIt() throws Exception {
        balancer.cut();
        FutureTask<Set<String>> reached = new FutureTask<>(this::reached);
        Thread.startVirtualThread(reached);
        assertThatThrownBy(() -> reached.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);

        balancer.mend();

        assertThat(reached.get()).containsExactlyInAnyOrder("one", "two");
    }

    @Test
    void thePortIsFreeAfterClose() throws IOException {
        for (int i = 0; i < RESTARTS; i++) {
            balancer.close();
            balancer = new Balancer(port, List.of(first, second));
        }

        assertThat(reached()).containsExactlyInAnyOrder("one", "two");
    }

    private Set<String> reached() throws IOException {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            try (Socket socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), port)) {
                OutputStream request = socket.getOutputStream();
                request.write("GET /name HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                socket.shutdownOutput();
                String response = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                names.add(response.substring(response.lastIndexOf('\n') + 1));
            }
        }
        return names;
    }

    /** Says its name, and whether it is ready. */
    private static final class Backend {

        private final AtomicInteger status = new AtomicInteger(200);
        private final HttpServer server;

        Backend(String name) {
            try {
                server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            server.createContext("/q/health/ready", exchange -> {
                exchange.sendResponseHeaders(status.get(), -1);
                exchange.close();
            });
            server.createContext("/name", exchange -> {
                exchange.sendResponseHeaders(200, name.length());
                exchange.getResponseBody().write(name.getBytes(StandardCharsets.US_ASCII));
                exchange.close();
            });
            server.start();
        }

        Balancer.Replica replica() {
            int port = server.getAddress().getPort();
            return new Balancer.Replica(port, () -> Health.isReady(port));
        }
    }
}
