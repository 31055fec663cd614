package dev.oneshot.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.response.Response;
import io.vertx.core.json.JsonObject;

/** What an error response says. */
public final class Errors {

    private Errors() {}

    /** The status and the code. */
    public static void assertError(Response response, int status, String code) {
        assertThat(error(response, status).getString("code")).isEqualTo(code);
    }

    /** The status, the code and the message. */
    public static void assertError(Response response, int status, String code, String message) {
        JsonObject error = error(response, status);
        assertThat(error.getString("code")).isEqualTo(code);
        assertThat(error.getString("message")).isEqualTo(message);
    }

    /** A {@code VALIDATION_ERROR} with status 400 and this message. */
    public static void assertInvalid(Response response, String message) {
        assertError(response, 400, "VALIDATION_ERROR", message);
    }

    private static JsonObject error(Response response, int status) {
        response.then().statusCode(status);
        return TestAccount.json(response).getJsonObject("error");
    }
}
