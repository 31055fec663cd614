package dev.oneshot.api.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.RawHttp;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.Charset;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
    void otherEncodingsAreRejected(String charset) throws Exception {
        HttpResponse<byte[]> created = create("{\"label\":\"a\"}".getBytes(Charset.forName(charset)));
        HttpResponse<byte[]> operated =
                operate("{\"name\":\"a\",\"plan\":\"free\"}".getBytes(Charset.forName(charset)));

        assertThat(created.statusCode()).isEqualTo(400);
        assertThat(new String(created.body(), UTF_8)).contains("\"VALIDATION_ERROR\"", "UTF-8");
        assertThat(operated.statusCode()).isEqualTo(400);
        assertThat(new String(operated.body(), UTF_8)).contains("\"VALIDATION_ERROR\"", "UTF-8");
    }

    @Test
    void byteOrderMarkInUtf8IsIgnored() throws Exception {
        assertThat(create("\uFEFF{\"label\":\"a\"}".getBytes(UTF_8)).statusCode())
                .isEqualTo(201);
    }

    private HttpResponse<byte[]> create(byte[] body) throws Exception {
        return RawHttp.send(RawHttp.to("/v1/addresses")
                .header("Authorization", "Bearer " + account.apiKey())
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(body)));
    }

    private static HttpResponse<byte[]> operate(byte[] body) throws Exception {
        int port = ConfigProvider.getConfig().getValue("quarkus.management.test-port", Integer.class);
        return RawHttp.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/operator/accounts"))
                .header("Authorization", "Bearer " + TestAccount.OPERATOR_TOKEN)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(body)));
    }
}
