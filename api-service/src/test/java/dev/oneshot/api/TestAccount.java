package dev.oneshot.api;

import static io.restassured.RestAssured.given;

import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
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
