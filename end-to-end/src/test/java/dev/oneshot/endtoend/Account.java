package dev.oneshot.endtoend;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Port;
import dev.oneshot.local.stack.StackAccount;
import dev.oneshot.testing.SmtpClient;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * An account, created by the operator API, with its owner's REST requests.
 *
 * @param port of the api-service that gets the requests
 * @param key its API key
 */
record Account(Operator operator, int port, String id, String key) {

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final ObjectMapper JSON = new ObjectMapper();

    static Account create(LocalStack stack) {
        return create(stack, "scale");
    }

    static Account create(LocalStack stack, String plan) {
        return create(stack, plan, "end to end");
    }

    static Account create(LocalStack stack, String plan, String name) {
        return create(Operator.of(stack), stack.settings().port(Port.HTTP), plan, name);
    }

    static Account create(Operator operator, int port, String plan, String name) {
        StackAccount created = StackAccount.create(operator.managementPort(), operator.token(), name, plan);
        return new Account(operator, port, created.id(), created.key());
    }

    /** The same account at another api-service. */
    Account at(Replica api) {
        return new Account(operator, api.port(), id, key);
    }

    /** The same account with another key. */
    Account withKey(String other) {
        return new Account(operator, port, id, other);
    }

    /** The operator deletes the account and all that it owns. */
    Response deleteAccount() {
        return operator.request().delete("/operator/accounts/" + id);
    }

    /** The mailbox of an address. */
    static String mailbox(String addressId) {
        return addressId + "@in.oneshot.localhost";
    }

    /** An SMTP connection to the stack's ingest node. */
    static SmtpClient smtp(LocalStack stack) throws IOException {
        return SmtpClient.greeted(stack.settings().port(Port.SMTP));
    }

    /** See {@link SmtpClient#deliver}. */
    static String deliver(LocalStack stack, String addressId, byte[] message) throws IOException {
        return SmtpClient.deliver(stack.settings().port(Port.SMTP), mailbox(addressId), message);
    }

    /** Waits until an ingest node rejects mail for an address with this reply. */
    static void awaitRefusal(LocalStack stack, String addressId, String reply) {
        await().untilAsserted(() -> {
            try (SmtpClient dialogue = smtp(stack)) {
                assertThat(dialogue.begin(mailbox(addressId))).startsWith(reply);
            }
        });
    }

    /** Creates a receive-mode address and returns its id. */
    String createAddress(int ttlSeconds) {
        return create(Map.of("ttl_seconds", ttlSeconds));
    }

    String createAddress() {
        return createAddress(3600);
    }

    /** Creates a receive-mode address with a label and returns its id. */
    String createAddress(String label) {
        return create(Map.of("label", label));
    }

    /** Sends a mail and returns the id of its send-mode address. */
    String send(Map<String, Object> mail) {
        return create(Map.of("mode", "send", "send", mail));
    }

    private String create(Map<String, Object> address) {
        String body = JSON.valueToTree(address).toString();
        return text(require(201, exchange("", BodyPublishers.ofString(body))), "id");
    }

    /** The response to a request to create an address. */
    Response post(String json) {
        return request().contentType("application/json").body(json).post("/addresses");
    }

    /** Reads the account. */
    Response read() {
        return request().get("/account");
    }

    /** The response to GET of a path below the address. */
    Response get(String id, String path) {
        return request().get("/addresses/" + id + path);
    }

    Response delete(String id) {
        return request().delete("/addresses/" + id);
    }

    Response deleteByLabel(String label) {
        return request().queryParam("label", label).delete("/addresses");
    }

    /** Polls until the mail is stored. */
    void awaitMail(String id) {
        await().until(() -> text(exchange("/" + id, BodyPublishers.noBody()).body(), "status")
                .equals("received"));
    }

    /** The body of a 200 response. */
    byte[] octets(String id, String path) {
        return require(200, exchange("/" + id + path, BodyPublishers.noBody()));
    }

    /** For many requests: REST Assured would take several times as long. */
    private HttpResponse<byte[]> exchange(String path, BodyPublisher body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port + "/v1/addresses" + path))
                .header("Authorization", "Bearer " + key);
        if (body.contentLength() > 0) {
            request.header("Content-Type", "application/json").POST(body);
        }
        try {
            return CLIENT.send(request.build(), BodyHandlers.ofByteArray());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] require(int status, HttpResponse<byte[]> response) {
        assertThat(response.statusCode())
                .as(() -> new String(response.body(), StandardCharsets.UTF_8))
                .isEqualTo(status);
        return response.body();
    }

    private static String text(byte[] object, String field) {
        try {
            return JSON.readTree(object).path(field).asText();
        } catch (IOException e) {
            throw new AssertionError(new String(object, StandardCharsets.UTF_8), e);
        }
    }

    /** A request to the public API with its key. */
    RequestSpecification request() {
        return given().baseUri("http://127.0.0.1:" + port).basePath("/v1").header("Authorization", "Bearer " + key);
    }
}
