package dev.oneshot.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server as a child process, line by line, with a service whose addresses wait for ever. */
class OneshotMcpTest {

    private static final String WAIT = """
            {"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"wait_for_code","arguments":{"address":"abc","timeout_seconds":50}}}""";
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":\"ping\",\"method\":\"ping\"}";
    private static final List<String> NO_MESSAGES = List.of(
            "hello",
            "{",
            "{}",
            "[]",
            "null",
            "5",
            "\"ping\"",
            "{\"jsonrpc\":\"2.0\"}",
            "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}",
            "{\"id\":1,\"method\":\"ping\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":5}",
            "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":123456789012345678901234567890,\"method\":\"ping\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":5}",
            "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"} trailing",
            "\u0000");

    private final CountDownLatch polled = new CountDownLatch(1);
    private final HttpServer service;
    private final Process process;
    private final Writer in;
    private final BufferedReader out;

    OneshotMcpTest() throws IOException {
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext("/", this::respond);
        service.start();
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OneshotMcp.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment()
                .put(
                        "ONESHOT_BASE_URL",
                        "http://127.0.0.1:" + service.getAddress().getPort() + "/v1");
        builder.environment().put("ONESHOT_API_KEY", "key");
        process = builder.start();
        in = process.outputWriter(StandardCharsets.UTF_8);
        out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    private void respond(HttpExchange exchange) {
        byte[] body = """
                {"id":"abc","address":"abc@in.example.org","mode":"receive","status":"waiting","label":null,"email":null,
                 "expires_at":"2036-01-31T13:00:00Z"}""".getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        polled.countDown();
    }

    @BeforeEach
    void initialize() throws IOException {
        assertThat(exchange("""
                {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},\
                "clientInfo":{"name":"test","version":"1"}}}""")).contains("\"id\":0", "\"serverInfo\"");
        send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    }

    @AfterEach
    void stop() throws IOException {
        process.destroyForcibly();
        out.close();
        service.stop(0);
    }

    @Test
    void aLineThatIsNoMessageGetsAnErrorAndTheServerLives() throws IOException {
        for (String line : NO_MESSAGES) {
            assertThat(exchange(line)).as(line).contains("\"code\":-32700", "\"id\":null", "\"jsonrpc\":\"2.0\"");
            assertThat(exchange(PING)).as(line).contains("\"id\":\"ping\"", "\"result\"");
        }
    }

    @Test
    void aLineThatIsTooLongGetsAnErrorAndTheServerLives() throws IOException {
        String padding = "x".repeat(MessageInput.LINE_BYTES_MAX - PING.length());

        assertThat(exchange(PING.replace("ping\",", "ping\",\"x\":\"" + padding + "\",")))
                .contains("\"code\":-32700");
        assertThat(exchange(PING.replace("}", ",\"x\":\"" + padding.substring(7) + "\"}")))
                .contains("\"id\":\"ping\"", "\"result\"");
    }

    @Test
    void linesThatNeedNoResponseGetNone() throws IOException {
        send("");
        send(" \r");
        send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/unknown\"}");
        send("{\"jsonrpc\":\"2.0\",\"id\":77,\"result\":{}}");
        send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":99}}");
        send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"}");

        assertThat(exchange(PING)).contains("\"id\":\"ping\"");
    }

    @Test
    void anUnknownMethodOrToolIsAnErrorWithItsId() throws IOException {
        assertThat(exchange("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"unknown\"}"))
                .contains("\"id\":1", "\"code\":-32601");
        assertThat(exchange(
                        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"unknown\"}}"))
                .contains("\"id\":2", "\"error\"");
        assertThat(exchange("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\"}"))
                .contains("\"id\":3");
        assertThat(exchange(PING)).contains("\"id\":\"ping\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "\"seven\""})
    void aCancelledWaitEndsWithoutAResponse(String id) throws Exception {
        send(WAIT.formatted(id));
        polled.await();
        send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":" + id + "}}");

        assertThat(exchange(PING)).contains("\"id\":\"ping\"");
        // It gets its response when its thread is free: there are fewer threads than waits.
        for (int i = 100; i < 200; i++) {
            send(WAIT.formatted(i));
            send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":" + i + "}}");
        }
        assertThat(exchange(WAIT.formatted("8").replace(":50", ":1"))).contains("\"id\":8", "timed_out");
    }

    @Test
    void theEndOfTheInputEndsAWaitAndTheServer() throws Exception {
        send(WAIT.formatted("7"));
        polled.await();

        in.close();

        // Without a cancellation, the wait would end after 50 s, with a response.
        assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
        assertThat(out.readLine()).isNull();
    }

    private void send(String line) throws IOException {
        in.write(line + "\n");
        in.flush();
    }

    private String exchange(String line) throws IOException {
        send(line);
        return String.valueOf(out.readLine());
    }
}
