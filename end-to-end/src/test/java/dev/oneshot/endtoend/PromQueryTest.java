package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PromQueryTest {

    @Test
    void metricsAndLabelsAreFound() {
        PromQuery query = PromQuery.parse(
                "sum by (le, code) (rate(a_total{status=~\"4..\", uri=\"/v1\"}[5m])) / max(b) > 0.5 and c{d!=\"\"} == 0");

        assertThat(query.metrics()).containsExactly("a_total", "b", "c");
        assertThat(query.labels()).containsExactly("code", "d", "le", "status", "uri");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "1 > 0", "sum(rate(a[5m])", "rate(a{b=\"c\")[5m])", "rat(a[5m])", "a ? b", "rate(a[5 m])"})
    void whatIsNoQueryIsRefused(String expression) {
        assertThatIllegalArgumentException().isThrownBy(() -> PromQuery.parse(expression));
    }
}
