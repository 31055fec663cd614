package dev.oneshot.api;

import static io.restassured.RestAssured.given;
import static org.awaitility.Awaitility.await;

import dev.oneshot.contracts.event.MailInbound;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Map;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;

/** The account of one test, created by the operator API, and its requests. */
public record TestAccount(String id, String apiKey) {

    public static final String OPERATOR_TOKEN = "operator-token-of-the-tests";

    public static TestAccount onPlan(String plan) {
        Response created = operator()
                .contentType(ContentType.JSON)
                .body(Map.of("name", "test", "plan", plan))
                .post("/operator/accounts");
        created.then().statusCode(201);
        return new TestAccount(created.path("id"), created.path("api_key"));
    }

    /** A request to the operator API with its token. */
    public static RequestSpecification operator() {
        return management().header("Authorization", "Bearer " + OPERATOR_TOKEN);
    }

    /** A request to the management port. */
    public static RequestSpecification management() {
        int port = ConfigProvider.getConfig().getValue("quarkus.management.test-port", Integer.class);
        return given().baseUri("http://127.0.0.1").port(port);
    }

    /** A request with this account's key. */
    public RequestSpecification request() {
        return given().header("Authorization", "Bearer " + apiKey);
    }

    /** A request with this account's key, for {@link RawHttp#send}. */
    public HttpRequest.Builder raw(String path) {
        return RawHttp.to(path).header("Authorization", "Bearer " + apiKey);
    }

    /** Posts JSON to a path below {@code /v1}. */
    public Response post(String path, String json) {
        return request().contentType(ContentType.JSON).body(json).post("/v1" + path);
    }

    /** Reads an address, or what is below it. */
    public Response get(String id) {
        return request().get("/v1/addresses/" + id);
    }

    /** Waits until the mail of an address is stored. */
    public void awaitReceived(String id) {
        // At once, as most of them are there when many are awaited.
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .atMost(Duration.ofSeconds(60))
                .until(() -> "received".equals(get(id).path("status")));
    }

    /** Publishes a mail and waits until it is stored. */
    public void receive(MailInbound mail) {
        TestMail.publish(mail);
        awaitReceived(mail.addressId());
    }

    /** Creates an address that receives this message, and returns its id. */
    public String received(String message) {
        String id = waitingAddress(3600);
        receive(TestMail.event(id, message));
        return id;
    }

    /** Creates an address under an {@code Idempotency-Key}. */
    public Response createOnce(String key, String json) {
        return postOnce(request(), key, "/v1/addresses", json);
    }

    /** Buys credits under an {@code Idempotency-Key}. */
    public Response buyOnce(String key, String json) {
        return postOnce(request(), key, "/v1/account/credits", json);
    }

    /** Posts JSON to the operator API under an {@code Idempotency-Key}. */
    public static Response operateOnce(String key, String path, String json) {
        return postOnce(operator(), key, path, json);
    }

    private static Response postOnce(RequestSpecification request, String key, String path, String json) {
        return request.header("Idempotency-Key", key)
                .contentType(ContentType.JSON)
                .body(json)
                .post(path);
    }

    /** Creates an address and returns the response. */
    public Response create(@Nullable String json) {
        RequestSpecification request = request().contentType(ContentType.JSON);
        return (json == null ? request : request.body(json)).post("/v1/addresses");
    }

    /** Creates a waiting address with this lifetime. */
    public String waitingAddress(long ttlSeconds) {
        Response created = create("{\"ttl_seconds\":" + ttlSeconds + "}");
        created.then().statusCode(201);
        return created.path("id");
    }
}
