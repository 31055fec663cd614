package dev.oneshot.api.sending;

import static dev.oneshot.api.Errors.assertError;
import static dev.oneshot.api.Errors.assertInvalid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestTopic;
import dev.oneshot.contracts.event.EventCodec;
import dev.oneshot.contracts.event.EventFormatException;
import dev.oneshot.contracts.event.MailRequested;
import dev.oneshot.contracts.event.Topic;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Which requests are rejected, and with which messages. */
@ServiceTest
class SendRequestTest {

    private final TestAccount account = TestAccount.onPlan("pro");

    @ParameterizedTest
    @CsvFileSource(resources = "/sending/refused-requests.txt", delimiter = '|', quoteCharacter = '`')
    void whatIsWrongIsNamed(String body, String message) {
        assertInvalid(account.create(body), message);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/sending/no-base64.txt", delimiter = '|', quoteCharacter = '`')
    void whatIsNoBase64IsNamedByItsIndex(String base64) {
        String good = "{\"filename\":\"a\",\"content_type\":\"a/b\",\"content_base64\":\"YWJj\"}";
        String bad = good.replace("YWJj", base64);

        assertInvalid(
                account.create(send("s", "[" + good + "," + good + "," + bad + "]")),
                "send.attachments[2].content_base64 is not valid base64");
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/sending/base64-in-json.txt", delimiter = '|', quoteCharacter = '`')
    void everyWritingOfBase64InJsonIsRead(String base64, String hex) throws EventFormatException {
        String id = account.create(send("s", named("a").replace("64\":\"", "64\":\"" + base64)))
                .then()
                .statusCode(201)
                .extract()
                .path("id");

        MailRequested request = (MailRequested)
                EventCodec.decodeDueMail(TestTopic.awaitOne(Topic.MAIL_DUE, id).value());
        assertThat(request.mail().attachments().getFirst().content().toByteArray())
                .isEqualTo(HexFormat.of().parseHex(hex));
    }

    @Test
    void subjectAndFilenameHaveBounds() {
        account.create(send("s".repeat(998), "[]")).then().statusCode(201);
        account.create(send("📬".repeat(998), "[]")).then().statusCode(201);
        assertInvalid(
                account.create(send("📬".repeat(999), "[]")), "send.subject must have between 0 and 998 characters");
        assertInvalid(
                account.create(send("s".repeat(999), "[]")), "send.subject must have between 0 and 998 characters");
        account.create(send("s", named("f".repeat(255)))).then().statusCode(201);
        assertInvalid(
                account.create(send("s", named("f".repeat(256)))),
                "send.attachments[0].filename must have between 1 and 255 characters");
    }

    @Test
    void anAttachmentAtThePlansLimitIsTakenAndOneByteMoreIsNot() {
        TestAccount free = TestAccount.onPlan("free");
        int limit = 1 << 20;

        free.create(send("s", attachment(limit))).then().statusCode(201);
        assertError(
                free.create(send("s", attachment(limit + 1))),
                422,
                "VALIDATION_ERROR",
                "send.attachments[0] must have at most 1048576 bytes on the plan free");
    }

    @Test
    void aMailAboveThePlansLimitIsUnprocessableAndCostsNothing() {
        TestAccount free = TestAccount.onPlan("free");

        free.create(text("a".repeat((2 << 20) + 1)))
                .then()
                .statusCode(422)
                .body("error.message", equalTo("send must have at most 2097152 bytes of content on the plan free"));
        free.request().get("/v1/addresses").then().body("items.size()", equalTo(0));
        free.create(text("ü".repeat(1 << 20))).then().statusCode(201);
    }

    @Test
    void tooManyAttachmentsAreRefused() {
        String file = "{\"filename\":\"a\",\"content_type\":\"a/b\",\"content_base64\":\"\"}";

        account.create(send("s", "[" + (file + ",").repeat(99) + file + "]"))
                .then()
                .statusCode(201);
        assertInvalid(
                account.create(send("s", "[" + (file + ",").repeat(100) + file + "]")),
                "send.attachments must have at most 100 items");
    }

    private static String send(String subject, String attachments) {
        return "{\"mode\":\"send\",\"send\":{\"to\":\"a@b.example\",\"subject\":\"" + subject
                + "\",\"text_body\":\"t\",\"attachments\":" + attachments + "}}";
    }

    private static String text(String text) {
        return "{\"mode\":\"send\",\"send\":{\"to\":\"a@b.example\",\"subject\":\"s\",\"text_body\":\"" + text + "\"}}";
    }

    private static String named(String filename) {
        return "[{\"filename\":\"" + filename + "\",\"content_type\":\"a/b\",\"content_base64\":\"\"}]";
    }

    private static String attachment(int bytes) {
        return "[{\"filename\":\"a\",\"content_type\":\"a/b\",\"content_base64\":\""
                + Base64.getEncoder().encodeToString(new byte[bytes]) + "\"}]";
    }
}
