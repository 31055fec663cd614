package dev.oneshot.api.inbox;

import static dev.oneshot.api.Errors.assertError;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;

import dev.oneshot.api.RawHttp;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.SlowReader;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestDatabase;
import dev.oneshot.api.TestMail;
import dev.oneshot.contracts.event.MailInbound;
import dev.oneshot.testing.LogLines;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ServiceTest
class EmailResourceTest {

    private static final String RICH = """
            Received: from a.example by b.example
            Received: from c.example by a.example
            From: =?UTF-8?Q?J=C3=BCrgen?= <juergen@example.org>
            To: Whoever <other@example.net>
            Subject: =?UTF-8?B?R3LDvMOfZQ==?=
             again
            DKIM-Signature: v=1; a=rsa-sha256
            MIME-Version: 1.0
            Content-Type: multipart/mixed; boundary=outer

            --outer
            Content-Type: multipart/alternative; boundary=inner

            --inner
            Content-Type: text/plain; charset=utf-8
            Content-Transfer-Encoding: quoted-printable

            Gr=C3=BC=C3=9Fe
            --inner
            Content-Type: text/html; charset=iso-8859-1
            Content-Transfer-Encoding: base64

            PHA+R3L8328=
            --inner--
            --outer
            Content-Type: application/pdf
            Content-Disposition: attachment; filename*=UTF-8''Rechnung%20%E2%82%AC.pdf
            Content-Transfer-Encoding: base64

            CONTENT
            --outer
            Content-Type: image/png
            Content-Transfer-Encoding: base64
            Content-ID: <inline>

            AAEC/w==
            --outer--
            """;

    private final TestAccount account = TestAccount.onPlan("scale");

    private static String rich(String attachmentBase64) {
        return RICH.replace("CONTENT", attachmentBase64);
    }

    @Test
    void pollingShowsTheSummaryOnceTheMailIsThere() {
        String id = account.waitingAddress(600);
        account.get(id)
                .then()
                .statusCode(200)
                .body("status", equalTo("waiting"))
                .body("email", nullValue());
        MailInbound mail = TestMail.event(id, rich("aGVsbG8="));

        account.receive(mail);

        account.get(id)
                .then()
                .statusCode(200)
                .body("email.from", equalTo("juergen@example.org"))
                .body("email.subject", equalTo("Grüße again"))
                .body("email.size_bytes", equalTo(mail.raw().length()))
                .body("email.has_attachments", equalTo(true))
                .body("email.attachment_count", equalTo(2))
                .body("email.received_at", matchesPattern("\\S{10}T\\d\\d:\\d\\d:\\d\\dZ"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000, 1_001, 200_000})
    void summaryShowsTheFirstThousandCharactersOfASubjectAndTheEmailAllOfIt(int characters) {
        // Each has two UTF-16 units, in a field of many lines; with the longest field the structure is not small.
        String face = "\uD83D\uDE00";
        String subject = (face.repeat(99) + " ").repeat(characters / 100 - 1) + face.repeat(100 + characters % 100);

        String id = account.received(
                "Subject: " + subject.replace(" ", "\n ") + "\nContent-Type: application/pdf; name=a.pdf\n\ncontent");

        account.request()
                .get("/v1/addresses")
                .then()
                .body("items[0].email.subject", equalTo(subject.substring(0, subject.offsetByCodePoints(0, 1_000))));
        account.get(id + "/email").then().body("subject", equalTo(subject));
        account.get(id + "/email/attachments/0").then().statusCode(200).body(equalTo("content"));
    }

    @Test
    void parsedEmailHasWhatTheContractSays() {
        String id = account.received(rich("aGVsbG8="));

        Response email = account.get(id + "/email");

        email.then()
                .statusCode(200)
                .contentType("application/json")
                .header("Cache-Control", "no-store")
                .header("X-Content-Type-Options", "nosniff")
                .body("from", equalTo("juergen@example.org"))
                .body("to", equalTo(id + "@in.oneshot.localhost"))
                .body("subject", equalTo("Grüße again"))
                .body("text_body", equalTo("Grüße"))
                .body("html_body", equalTo("<p>Grüßo"))
                .body("headers.Received", equalTo("from a.example by b.example\nfrom c.example by a.example"))
                .body("headers.DKIM-Signature", equalTo("v=1; a=rsa-sha256"))
                .body("attachments", hasSize(2))
                .body("attachments[0].filename", equalTo("Rechnung €.pdf"))
                .body("attachments[0].content_type", equalTo("application/pdf"))
                .body("attachments[0].size_bytes", equalTo(5))
                .body("attachments[0].download_url", equalTo("/addresses/" + id + "/email/attachments/0"))
                .body("attachments[1].filename", equalTo("attachment-2.png"))
                .body("attachments[1].download_url", equalTo("/addresses/" + id + "/email/attachments/1"));
    }

    @Test
    void whatAMailDoesNotHaveIsEmptyNotNull() {
        String id = account.received("X-Only: this\n\n");

        account.get(id + "/email")
                .then()
                .statusCode(200)
                .body("from", equalTo("sender@example.org"))
                .body("subject", equalTo(""))
                .body("text_body", equalTo(""))
                .body("html_body", equalTo(""))
                .body("attachments", hasSize(0));
    }

    @Test
    void rawIsTheMessageOctetByOctet() throws Exception {
        String id = account.waitingAddress(600);
        byte[] message = new byte[3 * 1024 * 1024 + 17];
        new Random(7).nextBytes(message);
        System.arraycopy("Subject: x\r\n\r\n".getBytes(UTF_8), 0, message, 0, 14);
        account.receive(TestMail.event(id, message));

        HttpResponse<byte[]> raw = get("/v1/addresses/" + id + "/email/raw");

        assertThat(raw.statusCode()).isEqualTo(200);
        assertThat(raw.body()).isEqualTo(message);
        assertThat(raw.headers().firstValue("Content-Type")).contains("text/plain");
        assertThat(raw.headers().firstValue("Content-Length")).contains(Integer.toString(message.length));
        assertThat(raw.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(raw.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(raw.headers().allValues("Transfer-Encoding")).isEmpty();
    }

    @Test
    void attachmentIsDecodedAndNamed() throws Exception {
        byte[] content = new byte[2_500_000];
        new Random(1).nextBytes(content);
        String id = account.received(rich(Base64.getMimeEncoder().encodeToString(content)));

        HttpResponse<byte[]> attachment = get("/v1/addresses/" + id + "/email/attachments/0");

        assertThat(attachment.statusCode()).isEqualTo(200);
        assertThat(attachment.body()).isEqualTo(content);
        assertThat(attachment.headers().firstValue("Content-Type")).contains("application/pdf");
        assertThat(attachment.headers().firstValue("Content-Length")).contains("2500000");
        assertThat(attachment.headers().firstValue("Content-Disposition"))
                .contains("attachment; filename=\"Rechnung _.pdf\"; filename*=UTF-8''Rechnung%20%E2%82%AC.pdf");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=0-1", "bytes=5-", "bytes=-0"})
    void rangesAreNotOffered(String range) throws Exception {
        String id = account.received(rich("aGVsbG8="));

        HttpResponse<byte[]> whole = RawHttp.send(account.raw("/v1/addresses/" + id + "/email/attachments/0")
                .header("Range", range)
                .GET());

        assertThat(whole.statusCode()).isEqualTo(200);
        assertThat(new String(whole.body(), UTF_8)).isEqualTo("hello");
        assertThat(whole.headers().allValues("Accept-Ranges")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "text/html", "image/*", "*/*;q=0", "text/plain;q=0", "nonsense", ""})
    void downloadIsSentWhateverAcceptSays(String accept) throws Exception {
        String id = account.received(rich("aGVsbG8="));

        for (String path : List.of("/email/raw", "/email/attachments/0")) {
            HttpResponse<byte[]> get = RawHttp.send(account.raw("/v1/addresses/" + id + path)
                    .header("Accept", accept)
                    .GET());
            HttpResponse<byte[]> head = RawHttp.send(account.raw("/v1/addresses/" + id + path)
                    .header("Accept", accept)
                    .HEAD());

            assertThat(get.statusCode()).isEqualTo(200);
            assertThat(get.body()).isNotEmpty();
            assertThat(head.statusCode()).isEqualTo(200);
            assertThat(head.headers().firstValue("Content-Length")).contains(Integer.toString(get.body().length));
            assertThat(head.headers().firstValue("Content-Type"))
                    .isEqualTo(get.headers().firstValue("Content-Type"));
        }
    }

    @Test
    void downloadRunsNoScriptsInABrowser() throws Exception {
        String id = account.received(rich("aGVsbG8="));

        for (String path : List.of("/email/raw", "/email/attachments/0")) {
            assertThat(get("/v1/addresses/" + id + path).headers().allValues("Content-Security-Policy"))
                    .containsExactly("sandbox; default-src 'none'");
            assertThat(head("/v1/addresses/" + id + path).headers().allValues("Content-Security-Policy"))
                    .containsExactly("sandbox; default-src 'none'");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2", "-1", "00", "01", "x", "1.0", "99999999999999", "%31%00"})
    void attachmentThatIsNotThereIsNotFound(String index) {
        String id = account.received(rich("aGVsbG8="));

        assertError(
                account.request().urlEncodingEnabled(false).get("/v1/addresses/" + id + "/email/attachments/" + index),
                404,
                "NOT_FOUND");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/email", "/email/raw", "/email/attachments/0"})
    void thereIsNothingToReadWhileWaitingAndAfterExpiry(String path) {
        String id = account.waitingAddress(600);
        assertError(account.get(id + path), 404, "NOT_FOUND");
        account.receive(TestMail.event(id, rich("aGVsbG8=")));
        TestAccount other = TestAccount.onPlan("free");
        other.get(id + path).then().statusCode(404);

        TestDatabase.expire(id);

        assertError(account.get(id + path), 410, "EXPIRED");
        other.get(id + path).then().statusCode(404);
    }

    @Test
    void idIsMatchedWithoutRegardToCase() {
        String id = account.received(TestMail.SIMPLE);

        account.get(id.toUpperCase(Locale.ROOT) + "/email")
                .then()
                .statusCode(200)
                .body("to", equalTo(id + "@in.oneshot.localhost"))
                .body("text_body", equalTo("Good day.\n"));
    }

    @Test
    void deletionEndsADownloadBeforeItsLengthSays() throws IOException {
        String id = account.waitingAddress(600);
        MailInbound mail = TestMail.large(id);
        account.receive(mail);
        try (LogLines log = LogLines.of("dev.oneshot");
                SlowReader reader =
                        SlowReader.get(RestAssured.port, "/v1/addresses/" + id + "/email/raw", account.apiKey())) {
            assertThat(reader.status()).isEqualTo("HTTP/1.1 200");

            account.request().delete("/v1/addresses/" + id).then().statusCode(204);

            assertThat(reader.octetsUntilTheEnd()).isLessThan(mail.raw().length());
            assertThat(log.lines())
                    .filteredOn(line -> line.getLevel().intValue() >= Level.WARNING.intValue())
                    .isEmpty();
        }
    }

    private HttpResponse<byte[]> get(String path) throws Exception {
        return RawHttp.send(account.raw(path).GET());
    }

    private HttpResponse<byte[]> head(String path) throws Exception {
        return RawHttp.send(account.raw(path).HEAD());
    }
}
