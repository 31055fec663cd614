package dev.oneshot.api.request;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestPathTest {

    @ParameterizedTest
    @CsvSource({
        "/v1/addresses, /v1/addresses",
        "/%76%31/%41%7a%2D%2e%5F%7e%30, /v1/Az-._~0",
        "/a%2Fb%2f, /a%2Fb%2f",
        "/%25%330, /%2530",
        "/%C3%A9%20%3b%3F%40%5B%60%7B, /%C3%A9%20%3b%3F%40%5B%60%7B",
        "/%, /%",
        "/%3, /%3",
        "/%3g%zz, /%3g%zz",
        "/a//./../b, /a//./../b"
    })
    void onlyEscapesOfUnreservedCharactersAreDecoded(String path, String decoded) {
        assertThat(RequestPath.decoded(path)).isEqualTo(decoded);
    }
}
