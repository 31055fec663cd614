package dev.oneshot.api.http;

import static dev.oneshot.api.Errors.assertError;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.startsWith;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import io.restassured.response.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

@ServiceTest
class MetricsFormatTest {

    @ParameterizedTest
    @CsvFileSource(resources = "/http/metrics-formats.txt", delimiter = '|')
    void metricsAreInTheFormatThatTheClientTakes(String accept, int status, String contentType, String content) {
        TestAccount.management()
                .header("Accept", accept)
                .get("/q/metrics")
                .then()
                .statusCode(status)
                .contentType(startsWith(contentType))
                .body(containsString(content));
    }

    @Test
    void metricsAreReadOnlyAndOtherPathsAreNotFound() {
        Response refused = TestAccount.management().delete("/q/metrics");

        assertError(refused, 405, "METHOD_NOT_ALLOWED");
        refused.then().header("Allow", "GET, HEAD");
        assertError(TestAccount.management().get("/q/nothing"), 404, "NOT_FOUND");
        assertError(TestAccount.management().get("/nothing"), 404, "NOT_FOUND");
    }
}
