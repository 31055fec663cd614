package dev.oneshot.endtoend;

import static org.awaitility.Awaitility.await;

import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Port;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.time.Duration;
import java.util.List;

/** Requests to the operator API of the stack. */
record Operator(LocalStack stack) {

    private static final Duration SETTLED_TIMEOUT = Duration.ofSeconds(90);

    static Operator of(LocalStack stack) {
        return new Operator(stack);
    }

    /** Waits until a send is settled, and returns its outcome. */
    String awaitOutcome(String addressId) {
        String path = "/operator/sends?address_id=" + addressId;
        await().atMost(SETTLED_TIMEOUT)
                .until(() -> !get(path).<List<Object>>path("items").isEmpty());
        return get(path).path("items[0].outcome");
    }

    Response get(String path) {
        return request().get(path);
    }

    /** A request with the operator's token. */
    RequestSpecification request() {
        return RestAssured.given()
                .baseUri("http://127.0.0.1:" + stack.settings().port(Port.API_MANAGEMENT))
                .header("Authorization", "Bearer " + stack.operatorToken())
                .contentType("application/json");
    }
}
