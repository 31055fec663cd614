package dev.oneshot.api.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.RawHttp;
import dev.oneshot.api.RawResponse;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestMail;
import java.util.List;
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

        RawResponse plain = account.send("GET", path).lacks("Content-Encoding");
        RawResponse compressed = gzip("GET", path).has(200, "Content-Encoding: gzip", "Vary: accept-encoding");

        assertThat(compressed.body().length).isLessThan(plain.body().length);
        assertThat(compressed.decompressed()).isEqualTo(plain.body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/account", "/v1/addresses?limit=0", "/v1/nothing", "/openapi"})
    void smallJsonErrorsAndOtherTypesAreNotCompressed(String path) {
        assertSentAsItIs(gzip("GET", path));
        assertSentAsItIs(RawHttp.send("GET", path, "Accept-Encoding: gzip"));
    }

    @Test
    void downloadsKeepTheirLength() {
        String id = received(2_000);

        for (String path : List.of("/email/raw", "/email/attachments/0")) {
            RawResponse get = gzip("GET", "/v1/addresses/" + id + path);
            assertSentAsItIs(get);
            gzip("HEAD", "/v1/addresses/" + id + path)
                    .has(200, "Content-Length: " + get.body().length)
                    .lacks("Content-Encoding");
        }
    }

    @Test
    void addressKeepsItsTagAndResponsesWithoutContentHaveNoCoding() {
        String path = "/v1/addresses/" + received(2_000);

        RawResponse address = gzip("GET", path);

        assertThat(address.body().length).isGreaterThan(1024);
        assertSentAsItIs(address);
        account.send("GET", path, "Accept-Encoding: gzip", "If-None-Match: " + address.only("ETag"))
                .has(304)
                .lacks("Content-Encoding");
        gzip("DELETE", path).has(204).lacks("Content-Encoding");
    }

    private static void assertSentAsItIs(RawResponse response) {
        assertThat(response.only("Content-Length")).isEqualTo("" + response.body().length);
        response.lacks("Content-Encoding");
    }

    /** An address with a mail that has this many characters of text, an attachment of as much JSON, and a long subject. */
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

    private RawResponse gzip(String method, String path) {
        return account.send(method, path, "Accept-Encoding: gzip");
    }
}
