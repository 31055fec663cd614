package dev.oneshot.junit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.oneshot.client.OneshotClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** A service that only keeps a list of addresses, which is empty when a test begins. */
@NullMarked
final class AddressService implements BeforeAllCallback, BeforeEachCallback {

    /** The labels of addresses by id, and what was asked for. */
    static final Map<String, String> ADDRESSES = new TreeMap<>();

    private static final String EMAIL = """
            {"from":"ada@example.org","to":"","subject":"Hello\\u001b\\u009b[31m","text_body":"Dear Ada\\r\\n\\u001b[2J%s","html_body":"","headers":{},
             "received_at":"2036-01-31T12:00:05Z","size_bytes":321,"attachments":[]}""".formatted("x".repeat(4000));

    static final List<String> REQUESTS = new ArrayList<>();

    private static final HttpServer SERVER = server();

    @Override
    public void beforeAll(ExtensionContext context) {
        ExtensionContext.Store.CloseableResource end = () -> SERVER.stop(0);
        context.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .getOrComputeIfAbsent(AddressService.class, unknown -> end);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        ADDRESSES.clear();
        REQUESTS.clear();
    }

    static EngineExecutionResults run(Class<?> tests) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(tests))
                .execute();
    }

    /** Runs these tests, of which so many must pass and so many fail. */
    static void run(Class<?> tests, int passes, int failures) {
        run(tests)
                .testEvents()
                .assertStatistics(counts ->
                        counts.started(passes + failures).succeeded(passes).failed(failures));
    }

    static OneshotExtension extension() {
        String url = "http://127.0.0.1:" + SERVER.getAddress().getPort() + "/v1";
        return new OneshotExtension()
                .withClient(OneshotClient.builder().baseUrl(url).apiKey("key").build());
    }

    private static HttpServer server() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/v1/addresses", AddressService::respond);
            server.start();
            return server;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void respond(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String id = path.substring(path.lastIndexOf('/') + 1);
        if (ADDRESSES.getOrDefault(id, "").startsWith("Expiring")) {
            respond(exchange, 410, "");
            return;
        } else if (exchange.getRequestMethod().equals("GET")
                && ADDRESSES.getOrDefault(id, "").startsWith("Unreadable")) {
            respond(exchange, 403, "");
            return;
        } else if (id.equals("email")) {
            respond(exchange, 200, EMAIL);
            return;
        }
        switch (exchange.getRequestMethod()) {
            case "POST" -> {
                String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                JsonObject request = JsonParser.parseString(body).getAsJsonObject();
                String created = "id" + (ADDRESSES.size() + 1);
                ADDRESSES.put(created, request.get("label").getAsString());
                REQUESTS.add("POST " + request.get("label").getAsString());
                respond(exchange, 201, address(created, "null"));
            }
            case "GET" -> respond(exchange, 200, address(id, """
                        {"from":"ada@example.org","subject":"Hello\\u001b\\u009b[31m","received_at":"2036-01-31T12:00:05Z",
                         "size_bytes":321,"has_attachments":true,"attachment_count":2}"""));
            case "DELETE" -> {
                REQUESTS.add("DELETE");
                boolean deleted = ADDRESSES.remove(id) != null;
                respond(exchange, deleted ? 204 : 404, "");
            }
            default -> respond(exchange, 405, "");
        }
    }

    private static void respond(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static String address(String id, String email) {
        JsonObject address = JsonParser.parseString("""
                {"mode":"receive","status":"received","expires_at":"2036-01-31T13:00:00Z","email":%s}""".formatted(email)).getAsJsonObject();
        address.addProperty("id", id);
        address.addProperty("address", id + "@in.example.org");
        address.addProperty("label", ADDRESSES.get(id));
        return address.toString();
    }

    static class WithExtension {

        @RegisterExtension
        static final OneshotExtension ONESHOT = extension();
    }
}
