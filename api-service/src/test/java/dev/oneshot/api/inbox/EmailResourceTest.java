package dev.oneshot.api.inbox;

import static dev.oneshot.api.Errors.assertError;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import dev.oneshot.api.RawResponse;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestDatabase;
import dev.oneshot.api.TestMail;
import dev.oneshot.api.TestMetrics;
import dev.oneshot.contracts.event.MailInbound;
import dev.oneshot.testing.LogLines;
import dev.oneshot.testing.SlowReader;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ServiceTest
class EmailResourceTest {

    private final TestAccount account = TestAccount.onPlan("scale");

    /** A mail with text, HTML, an attachment of this content in base64, and an inline image. */
    private static String rich(String attachmentBase64) {
        try {
            return Files.readString(Path.of("src/test/resources/inbox/rich.eml"))
                    .replace("CONTENT", attachmentBase64);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void pollingShowsTheSummaryOnceTheMailIsThere() {
        String id = account.waitingAddress(600);
        account.get(id).then().body("status", equalTo("waiting")).body("email", nullValue());
        MailInbound mail = TestMail.event(id, rich("aGVsbG8="));

        account.receive(mail);

        account.get(id)
                .then()
                .statusCode(200)
                .body("email.from", equalTo("juergen@example.org"))
                .body("email.subject", equalTo("Grüße again"))
                .body("email.size_bytes", equalTo(TestMail.messageBytes(mail)))
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
                .body("attachments[0]", not(hasKey("content_id")))
                .body("attachments[0]", not(hasKey("content_location")))
                .body("attachments[1].content_id", equalTo("inline"))
                .body("attachments[1].content_location", equalTo("https://example.org/images/logo.png"))
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
    void rawIsTheMessageOctetByOctet() {
        String id = account.waitingAddress(600);
        byte[] message = new byte[3 * 1024 * 1024 + 17];
        new Random(7).nextBytes(message);
        System.arraycopy("Subject: x\r\n\r\n".getBytes(UTF_8), 0, message, 0, 14);
        account.receive(TestMail.event(id, message));

        RawResponse raw = account.send("GET", "/v1/addresses/" + id + "/email/raw")
                .has(
                        200,
                        "Content-Type: text/plain",
                        "Content-Length: " + message.length,
                        "Cache-Control: no-store",
                        "X-Content-Type-Options: nosniff")
                .lacks("Transfer-Encoding");
        assertThat(raw.body()).isEqualTo(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "text/csv; charset=Windows-1251 | text/csv;charset=windows-1251",
                "text/csv | text/csv",
                "text/csv; charset=\"a b\" | text/csv;charset=a",
                "text/csv; charset=<x> | text/csv",
                "application/json; charset=utf-8 | application/json"
            })
    void aTextAttachmentHasItsOwnCharset(String sent, String served) {
        String id = account.received("Content-Type: " + sent + "\nContent-Disposition: attachment; filename=a\n\nx");

        account.send("GET", "/v1/addresses/" + id + "/email/attachments/0").has(200, "Content-Type: " + served);
    }

    @Test
    void htmlIsReadInTheCharsetOfItsMetaElement() {
        String id = account.received("""
                Content-Type: text/html
                Content-Transfer-Encoding: quoted-printable

                <meta charset=3Dkoi8-r>=F7=C1=DB\
                """);

        account.get(id + "/email").then().body("html_body", equalTo("<meta charset=koi8-r>Ваш"));
    }

    @Test
    void attachmentIsDecodedAndNamed() {
        byte[] content = new byte[2_500_000];
        new Random(1).nextBytes(content);
        String id = account.received(rich(Base64.getMimeEncoder().encodeToString(content)));

        RawResponse attachment = account.send("GET", "/v1/addresses/" + id + "/email/attachments/0")
                .has(
                        200,
                        "Content-Type: application/pdf",
                        "Content-Length: 2500000",
                        "Content-Disposition: attachment; filename=\"Rechnung _.pdf\";"
                                + " filename*=UTF-8''Rechnung%20%E2%82%AC.pdf");
        assertThat(attachment.body()).isEqualTo(content);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"a/b'c | a/b'c", "*/* | application/octet-stream", "a/b{c | application/octet-stream"})
    void attachmentKeepsItsTypeUnlessThatIsNoneOfHttp(String type, String ofDownload) {
        String id = account.received("Content-Type: " + type + "; name=x\n\ncontent\n");

        account.get(id + "/email").then().body("attachments[0].content_type", equalTo(type));
        account.send("GET", "/v1/addresses/" + id + "/email/attachments/0").has(200, "Content-Type: " + ofDownload);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=0-1", "bytes=5-", "bytes=-0"})
    void rangesAreNotOffered(String range) {
        String id = account.received(rich("aGVsbG8="));

        RawResponse whole = account.send("GET", "/v1/addresses/" + id + "/email/attachments/0", "Range: " + range)
                .has(200)
                .lacks("Accept-Ranges");

        assertThat(whole.text()).isEqualTo("hello");
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "text/html", "image/*", "*/*;q=0", "text/plain;q=0", "nonsense", ""})
    void downloadIsSentWhateverAcceptSaysAndRunsNoScriptsInABrowser(String accept) {
        String email = "/v1/addresses/" + account.received(rich("aGVsbG8=")) + "/email";
        String policy = "Content-Security-Policy: sandbox; default-src 'none'";

        for (String path : List.of(email + "/raw", email + "/attachments/0")) {
            RawResponse get = account.send("GET", path, "Accept: " + accept).has(200, policy);
            assertThat(get.body()).isNotEmpty();
            account.send("HEAD", path, "Accept: " + accept)
                    .has(
                            200,
                            policy,
                            "Content-Length: " + get.body().length,
                            "Content-Type: " + get.only("Content-Type"));
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

        TestDatabase.expire(id);

        assertError(account.get(id + path), 410, "EXPIRED");
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

            account.delete(id).then().statusCode(204);

            assertThat(reader.octetsUntilTheEnd()).isLessThan(TestMail.messageBytes(mail));
            assertThat(log.lines())
                    .filteredOn(line -> line.getLevel().intValue() >= Level.WARNING.intValue())
                    .isEmpty();
        }
    }

    @Test
    void aMailOfManyFramesAndPiecesComesBackAsItWas() {
        byte[] file = new byte[300_000];
        new Random(1).nextBytes(file);
        String text = "Subject: many\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\n"
                + "words of a text\n".repeat(20_000)
                + "\n--x\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\n"
                + Base64.getMimeEncoder().encodeToString(file) + "\n--x--\n";

        String id = account.received(text);

        account.get(id + "/email").then().body("text_body", equalTo("words of a text\n".repeat(20_000)));
        assertThat(account.get(id + "/email/attachments/0").asByteArray()).isEqualTo(file);
        assertThat(account.get(id + "/email/raw").asString())
                .isEqualTo(text.replace("\r\n", "\n").replace("\n", "\r\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE mail SET content = set_byte(content, 60, 255 - get_byte(content, 60)) WHERE address_id = ?",
                "UPDATE mail SET content = substring(content, 1, 10) WHERE address_id = ?",
                "UPDATE mail SET content = substring(content, 1, 100) WHERE address_id = ?",
                "UPDATE mail SET content = content || 'x' WHERE piece = 0 AND address_id = ?",
                "DELETE FROM mail WHERE piece = 1 AND address_id = ?"
            })
    void aDamagedMailIsAnErrorThatIsCounted(String damage) {
        byte[] random = new byte[20_000];
        new Random(2).nextBytes(random);
        String id = account.received("Subject: s\n\n" + Base64.getMimeEncoder().encodeToString(random));
        double before = TestMetrics.sum("oneshot_inbox_unreadable_total");

        TestDatabase.update(damage, id);

        assertError(account.get(id + "/email"), 500, "INTERNAL_ERROR");
        assertThat(TestMetrics.sum("oneshot_inbox_unreadable_total")).isEqualTo(before + 1);
    }
}
