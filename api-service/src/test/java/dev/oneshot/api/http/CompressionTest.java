package dev.oneshot.api.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.RawHttp;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestMail;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ServiceTest
class CompressionTest {

    private final TestAccount account = TestAccount.onPlan("scale");

    @ParameterizedTest
    @ValueSource(ints = {2_000, 50_000, 2_000_000})
    void largeJsonIsCompressedForClientsThatAcceptIt(int characters) throws Exception {
        String path = "/v1/addresses/" + received(characters) + "/email";

        HttpResponse<byte[]> plain = RawHttp.send(account.raw(path).GET());
        HttpResponse<byte[]> compressed = RawHttp.send(gzip(path).GET());

        assertThat(plain.headers().allValues("Content-Encoding")).isEmpty();
        assertThat(compressed.headers().allValues("Content-Encoding")).containsExactly("gzip");
        assertThat(compressed.body().length).isLessThan(plain.body().length);
        assertThat(decompressed(compressed.body())).isEqualTo(plain.body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/account", "/v1/addresses?limit=0", "/v1/nothing", "/openapi"})
    void errorsAndWhatIsAlwaysSmallAreNotCompressed(String path) throws Exception {
        assertSentAsItIs(RawHttp.send(gzip(path).GET()));
        assertSentAsItIs(
                RawHttp.send(RawHttp.to(path).header("Accept-Encoding", "gzip").GET()));
    }

    @Test
    void downloadsKeepTheirLength() throws Exception {
        String id = received(2_000);

        for (String path : new String[] {"/email/raw", "/email/attachments/0"}) {
            HttpResponse<byte[]> get =
                    RawHttp.send(gzip("/v1/addresses/" + id + path).GET());
            HttpResponse<byte[]> head =
                    RawHttp.send(gzip("/v1/addresses/" + id + path).HEAD());

            assertSentAsItIs(get);
            assertThat(get.headers().firstValue("Content-Length")).contains("" + get.body().length);
            assertThat(head.headers().firstValue("Content-Length")).contains("" + get.body().length);
        }
    }

    @Test
    void addressKeepsItsTag() throws Exception {
        String path = "/v1/addresses/" + received(2_000);

        HttpResponse<byte[]> address = RawHttp.send(gzip(path).GET());
        HttpResponse<byte[]> unchanged = RawHttp.send(gzip(path)
                .header("If-None-Match", address.headers().firstValue("ETag").orElseThrow())
                .GET());

        assertThat(address.body().length).isGreaterThan(1024);
        assertSentAsItIs(address);
        assertThat(unchanged.statusCode()).isEqualTo(304);
    }

    private static void assertSentAsItIs(HttpResponse<byte[]> response) {
        assertThat(response.headers().allValues("Content-Encoding")).isEmpty();
        assertThat(response.headers().firstValue("Content-Length")).contains("" + response.body().length);
    }

    private static byte[] decompressed(byte[] body) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(body))) {
            return in.readAllBytes();
        }
    }

    /**
     * An address with a mail that has this many characters of text, an attachment of as many of JSON, and a long
     * subject.
     */
    private String received(int characters) {
        String id = account.waitingAddress(600);
        String text = "abcdefghi\n".repeat(characters / 10);
        account.receive(TestMail.event(
                id,
                ("Subject: " + "word ".repeat(250)
                                + "\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n" + "--x\n\n"
                                + text + "\n--x\nContent-Type: application/json\n\n\"" + text + "\"\n--x--\n")
                        .getBytes(UTF_8)));
        return id;
    }

    private HttpRequest.Builder gzip(String path) {
        return account.raw(path).header("Accept-Encoding", "gzip");
    }
}
