package dev.oneshot.api;

import static org.hamcrest.Matchers.equalTo;

import io.restassured.response.Response;

/** What an error response says. */
public final class Errors {

    private Errors() {}

    /** The status and the code. */
    public static void assertError(Response response, int status, String code) {
        response.then().statusCode(status).body("error.code", equalTo(code));
    }

    /** The status, the code and the message. */
    public static void assertError(Response response, int status, String code, String message) {
        response.then().statusCode(status).body("error.code", equalTo(code)).body("error.message", equalTo(message));
    }

    /** A {@code VALIDATION_ERROR} with status 400 and this message. */
    public static void assertInvalid(Response response, String message) {
        assertError(response, 400, "VALIDATION_ERROR", message);
    }
}
