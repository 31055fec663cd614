package dev.oneshot.api;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.MailInbound;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The account of one test, created by the operator API, and its requests. */
public record TestAccount(String id, String apiKey) {

    public static final String OPERATOR_TOKEN = "operator-token-of-the-tests";

    /** A request to send a mail. */
    public static final String SEND = """
            {"mode":"send","send":{"to":"a@b.example","subject":"s","text_body":"t"}}""";

    public static TestAccount onPlan(String plan) {
        return of(operator("{\"name\":\"test\",\"plan\":\"" + plan + "\"}").post("/operator/accounts"));
    }

    /** The account in the operator API's response to its creation. */
    public static TestAccount of(Response created) {
        created.then().statusCode(201);
        JsonObject account = json(created);
        return new TestAccount(account.getString("id"), account.getString("api_key"));
    }

    /** The body of a response. REST Assured compiles a script for each path into it, which takes longer than most requests. */
    static JsonObject json(Response response) {
        return new JsonObject(response.asString());
    }

    /** A request to the operator API with its token. */
    public static RequestSpecification operator() {
        return management().header("Authorization", "Bearer " + OPERATOR_TOKEN);
    }

    /** A request to the operator API with JSON. */
    public static RequestSpecification operator(String json) {
        return operator().contentType(ContentType.JSON).body(json);
    }

    /** A request to the management port. */
    public static RequestSpecification management() {
        return given().baseUri("http://127.0.0.1").port(RawHttp.managementPort());
    }

    /** The operator deletes the account. */
    public Response remove() {
        return operator().delete("/operator/accounts/" + id);
    }

    /** A request with this account's key. */
    public RequestSpecification request() {
        return given().header("Authorization", "Bearer " + apiKey);
    }

    /** As {@link RawHttp#send}, with this account's key. */
    public RawResponse send(String method, String path, String... fields) {
        return send(method, path, BodyPublishers.noBody(), fields);
    }

    /** As {@link RawHttp#send}, with this account's key. */
    public RawResponse send(String method, String path, BodyPublisher body, String... fields) {
        return RawHttp.send(method, path, body, RawHttp.withKey(apiKey, fields));
    }

    /** Sends a request line and header fields, with Host, Connection and Authorization; reads until the service closes. */
    public String exchange(String lineAndFields) throws IOException {
        return exchange(lineAndFields, "");
    }

    /** The same with a body, whose length or coding is among the fields. */
    public String exchange(String lineAndFields, String body) throws IOException {
        return RawHttp.exchange(lineAndFields + "\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json"
                + "\r\nAuthorization: Bearer " + apiKey + "\r\n\r\n" + body);
    }

    /** Posts JSON to a path below {@code /v1}. */
    public Response post(String path, String json) {
        return request().contentType(ContentType.JSON).body(json).post("/v1" + path);
    }

    /** Reads an address, or what is below it. */
    public Response get(String id) {
        return request().get("/v1/addresses/" + id);
    }

    /** Deletes an address. */
    public Response delete(String id) {
        return request().delete("/v1/addresses/" + id);
    }

    /** Deletes all addresses with a label. */
    public Response deleteLabelled(String label) {
        return request().queryParam("label", label).delete("/v1/addresses");
    }

    /** Reads the account. */
    public Response read() {
        return request().get("/v1/account");
    }

    /** Asserts how many addresses of the cycle's allocation are used. */
    public void assertUsed(int addresses) {
        Response account = read();
        account.then().statusCode(200);
        assertThat(json(account).getInteger("used")).isEqualTo(addresses);
    }

    /** How many rows of a table are this account's. */
    public long rows(String table) {
        return TestDatabase.count("SELECT count(*) FROM " + table + " WHERE account_id = ?::uuid", id);
    }

    /** Sets how many addresses of the cycle's allocation are used. */
    public void use(int addresses) {
        TestDatabase.update("UPDATE account SET used = " + addresses + " WHERE id = ?::uuid", id);
    }

    /** Waits until the mail of an address is stored. */
    public void awaitReceived(String id) {
        // At once, as most of them are there when many are awaited.
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> "received".equals(json(get(id)).getString("status")));
    }

    /** Waits until all earlier mail of this key is processed: mail of one key is processed in order. */
    public void awaitEverythingBefore(String key) {
        // A batch stores its mails before it writes the dead letters: the second mail is of a later batch.
        for (int i = 0; i < 2; i++) {
            String later = waitingAddress(600);
            TestMail.publishValues(List.of(Map.entry(key, EventCodec.encode(TestMail.event(later, TestMail.SIMPLE)))));
            awaitReceived(later);
        }
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

    /** Creates an address and returns its id. */
    public String created(String json) {
        Response created = create(json);
        created.then().statusCode(201);
        return json(created).getString("id");
    }

    /** Creates a waiting address with this lifetime. */
    public String waitingAddress(long ttlSeconds) {
        return created("{\"ttl_seconds\":" + ttlSeconds + "}");
    }

    /** Creates a waiting address with this label. */
    public String labelledAddress(String label) {
        return created("{\"label\":\"" + label + "\"}");
    }
}
