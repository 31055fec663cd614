package dev.oneshot.api.body;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.RawHttp;
import dev.oneshot.api.RawResponse;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.Charset;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 8259 §8.1: JSON is UTF-8. */
@ServiceTest
class BodyEncodingTest {

    private final TestAccount account = TestAccount.onPlan("scale");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UTF-16LE",
                "UTF-16BE",
                "UTF-16",
                "X-UTF-16LE-BOM",
                "UTF-32LE",
                "UTF-32BE",
                "X-UTF-32LE-BOM",
                "X-UTF-32BE-BOM"
            })
    void otherEncodingsAreRejected(String charset) {
        Charset encoding = Charset.forName(charset);

        assertRejected(create("{\"label\":\"a\"}".getBytes(encoding)), "UTF-8");
        assertRejected(operate("{\"name\":\"a\",\"plan\":\"free\"}".getBytes(encoding)), "UTF-8");
    }

    /** Bytes that Jackson takes for UTF-32: in an invalid byte order, and with an invalid character. */
    @ParameterizedTest
    @CsvSource({
        "0000FFFE, the body must be JSON in UTF-8",
        "007B0000, the body is not valid JSON",
        "0000FEFF00FFFFFF, the body must be JSON in UTF-8",
        "0000007B0000002200FFFFFF, the body must be JSON in UTF-8",
    })
    void whatIsNoTextAtAllIsRefused(String octets, String message) {
        assertRejected(create(HexFormat.of().parseHex(octets)), message);
        assertRejected(operate(HexFormat.of().parseHex(octets)), message);
    }

    private static void assertRejected(RawResponse response, String message) {
        response.isError(400, "VALIDATION_ERROR");
        assertThat(response.text()).contains(message);
    }

    @Test
    void byteOrderMarkInUtf8IsIgnored() {
        create("\uFEFF{\"label\":\"a\"}".getBytes(UTF_8)).has(201);
    }

    private RawResponse create(byte[] body) {
        return account.send("POST", "/v1/addresses", BodyPublishers.ofByteArray(body), RawHttp.JSON);
    }

    private static RawResponse operate(byte[] body) {
        return RawHttp.operate("POST", "accounts", BodyPublishers.ofByteArray(body));
    }
}
