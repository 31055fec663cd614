package dev.oneshot.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9110 §12.5.1. */
class AcceptTest {

    private static final String JSON = "application/json";

    private static boolean allowsJson(String... fields) {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap();
        for (String field : fields) {
            headers.add("accept", field);
        }
        return Accept.of(headers).allows(JSON);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " , ",
                "application/json",
                "Application/JSON ; charset=utf-8",
                "application/*",
                "*/*",
                "text/html, */*;q=0.1",
                "text/html;q=0, */*",
                "application/json;q=0.001",
                "application/json, application/*;q=0",
                "application/json, */*;q=0",
                "application/json;q=0, application/json",
                "application/json;q=00",
                "application/json;q",
            })
    void jsonIsWanted(String accept) {
        assertThat(allowsJson(accept)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/html",
                "image/*",
                "nonsense",
                "*/*;q=0",
                "*/* ; Q=0.000",
                "application/json;q=0",
                "application/json;charset=utf-8;q=0.0",
                "application/json;q=0, */*",
                "application/*;q=0., */*",
                "application/jsonx",
            })
    void jsonIsNotWanted(String accept) {
        assertThat(allowsJson(accept)).isFalse();
    }

    @Test
    void allFieldsCountAsOne() {
        assertThat(allowsJson()).isTrue();
        assertThat(allowsJson("text/html", "application/json")).isTrue();
        assertThat(allowsJson("*/*", "application/json;q=0")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "application/json, true",
        "'text/html, Application/JSON;q=0.5', true",
        "'application/json;q=0', false",
        "application/*, false",
        "*/*, false",
        "'', false",
        "application/jsonx, false",
    })
    void jsonIsNamed(String accept, boolean isNamed) {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap().add("accept", accept);

        assertThat(Accept.of(headers).names(JSON)).isEqualTo(isNamed);
    }
}
