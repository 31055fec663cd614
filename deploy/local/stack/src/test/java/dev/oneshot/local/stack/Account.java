package dev.oneshot.local.stack;

import static io.restassured.RestAssured.given;
import static org.awaitility.Awaitility.await;

import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.time.Duration;
import java.util.Map;

/** An account of the stack, made by the operator API, and what its owner can do over REST. */
final class Account {

    private static final Duration ARRIVAL_TIMEOUT = Duration.ofSeconds(60);

    private final LocalStack stack;
    private final String key;

    private Account(LocalStack stack, String key) {
        this.stack = stack;
        this.key = key;
    }

    static Account create(LocalStack stack) {
        String key = given().baseUri("http://127.0.0.1:" + stack.settings().port(Port.API_MANAGEMENT))
                .header("Authorization", "Bearer " + stack.operatorToken())
                .contentType("application/json")
                .body(Map.of("name", "end to end", "plan", "scale"))
                .post("/operator/accounts")
                .then()
                .statusCode(201)
                .extract()
                .path("api_key");
        return new Account(stack, key);
    }

    /** What its owner is known by. */
    String key() {
        return key;
    }

    /** The id of a new receive-mode address. */
    String createAddress(int ttlSeconds) {
        return request()
                .contentType("application/json")
                .body(Map.of("ttl_seconds", ttlSeconds))
                .post("/addresses")
                .then()
                .statusCode(201)
                .extract()
                .path("id");
    }

    String createAddress() {
        return createAddress(3600);
    }

    /** Sends a mail; the id of its send-mode address. */
    String send(Map<String, Object> mail) {
        return request()
                .contentType("application/json")
                .body(Map.of("mode", "send", "send", mail))
                .post("/addresses")
                .then()
                .statusCode(201)
                .extract()
                .path("id");
    }

    /** The answer to GET of a path below the address. */
    Response get(String id, String path) {
        return request().get("/addresses/" + id + path);
    }

    Response delete(String id) {
        return request().delete("/addresses/" + id);
    }

    /** Polls until the mail is there. */
    void awaitMail(String id) {
        await().atMost(ARRIVAL_TIMEOUT)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> "received".equals(get(id, "").path("status")));
    }

    /** The octets of a 200 answer. */
    byte[] octets(String id, String path) {
        return get(id, path).then().statusCode(200).extract().asByteArray();
    }

    private RequestSpecification request() {
        return given().baseUri("http://127.0.0.1:" + stack.settings().port(Port.HTTP))
                .basePath("/v1")
                .header("Authorization", "Bearer " + key);
    }
}
