package dev.oneshot.api.http;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ServiceTest
class MetricsFormatTest {

    private static final String PROMETHEUS = "application/openmetrics-text;version=1.0.0;q=0.5,"
            + "application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2";

    @ParameterizedTest
    @ValueSource(strings = {"*/*", "text/plain", "text/*", "text/html, */*;q=0.1", PROMETHEUS})
    void metricsArePlainTextForClientsThatTakeIt(String accept) {
        TestAccount.management()
                .header("Accept", accept)
                .get("/q/metrics")
                .then()
                .statusCode(200)
                .contentType(startsWith("text/plain"))
                .body(containsString("oneshot_api_refusals_total"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/openmetrics-text",
                "application/openmetrics-text; version=1.0.0",
                "application/openmetrics-text; version=1.0.0; charset=utf-8",
                "application/openmetrics-text; version=0.0.1"
            })
    void metricsAreOpenMetricsWithOrWithoutAVersion(String accept) {
        TestAccount.management()
                .header("Accept", accept)
                .get("/q/metrics")
                .then()
                .statusCode(200)
                .contentType(startsWith("application/openmetrics-text"))
                .body(containsString("# EOF"));
    }

    @Test
    void otherTypesAreNotAcceptable() {
        TestAccount.management()
                .header("Accept", "image/png")
                .get("/q/metrics")
                .then()
                .statusCode(406)
                .body("error.code", equalTo("NOT_ACCEPTABLE"));
    }

    @Test
    void metricsAreReadOnly() {
        TestAccount.management()
                .delete("/q/metrics")
                .then()
                .statusCode(405)
                .header("Allow", "GET, HEAD")
                .body("error.code", equalTo("METHOD_NOT_ALLOWED"));
    }

    @Test
    void pathsWithoutResourceAreNotFound() {
        TestAccount.management().get("/q/nothing").then().statusCode(404).body("error.code", equalTo("NOT_FOUND"));
    }
}
