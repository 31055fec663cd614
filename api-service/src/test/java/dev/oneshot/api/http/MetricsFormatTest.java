package dev.oneshot.api.http;

import static dev.oneshot.api.Errors.assertError;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.startsWith;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import io.restassured.response.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ServiceTest
class MetricsFormatTest {

    private static final String PROMETHEUS = "application/openmetrics-text;version=1.0.0;q=0.5,"
            + "application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "*/* | text/plain | oneshot_api_refusals_total",
                "text/plain | text/plain | oneshot_api_refusals_total",
                "text/* | text/plain | oneshot_api_refusals_total",
                "text/html, */*;q=0.1 | text/plain | oneshot_api_refusals_total",
                PROMETHEUS + " | text/plain | oneshot_api_refusals_total",
                "application/openmetrics-text | application/openmetrics-text | # EOF",
                "application/openmetrics-text; version=1.0.0 | application/openmetrics-text | # EOF",
                "application/openmetrics-text; version=1.0.0; charset=utf-8 | application/openmetrics-text | # EOF",
                "application/openmetrics-text; version=0.0.1 | application/openmetrics-text | # EOF",
                "image/png | application/json | NOT_ACCEPTABLE"
            })
    void metricsAreInTheFormatThatTheClientTakes(String accept, String contentType, String content) {
        TestAccount.management()
                .header("Accept", accept)
                .get("/q/metrics")
                .then()
                .statusCode(content.equals("NOT_ACCEPTABLE") ? 406 : 200)
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
