package dev.oneshot.endtoend;

import static org.awaitility.Awaitility.await;

import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Port;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.util.List;

/** Requests to the operator API of an api-service. */
record Operator(int managementPort, String token) {

    static Operator of(LocalStack stack) {
        return new Operator(stack.settings().port(Port.API_MANAGEMENT), stack.operatorToken());
    }

    /** Waits until a send is settled, and returns its outcome. */
    String awaitOutcome(String addressId) {
        String path = "/operator/sends?address_id=" + addressId;
        await().until(() -> !get(path).<List<Object>>path("items").isEmpty());
        return get(path).path("items[0].outcome");
    }

    Response get(String path) {
        return request().get(path);
    }

    /** A request with the operator's token. */
    RequestSpecification request() {
        return RestAssured.given()
                .baseUri("http://127.0.0.1:" + managementPort)
                .header("Authorization", "Bearer " + token)
                .contentType("application/json");
    }
}
