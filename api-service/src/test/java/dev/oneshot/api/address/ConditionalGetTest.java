package dev.oneshot.api.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.matchesPattern;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestDatabase;
import io.restassured.response.Response;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** ETag and If-None-Match (RFC 9110 §13.1.2) of one address. */
@ServiceTest
class ConditionalGetTest {

    private final TestAccount account = TestAccount.onPlan("scale");
    private String path = "";
    private String tag = "";

    @BeforeEach
    void create() {
        path = "/v1/addresses/" + account.waitingAddress(600);
        tag = account.request().get(path).header("ETag");
    }

    @Test
    void unchangedAddressIsNotSentAgain() {
        var response = getUnless(tag);

        response.then().statusCode(304).header("ETag", tag);
        assertThat(response.asString()).isEmpty();
        assertThat(tag).matches("\"[A-Za-z0-9_-]{16}\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"other\"", "W/\"other\"", "nonsense", "\"", ""})
    void otherTagsGetTheAddress(String field) {
        getUnless(field)
                .then()
                .statusCode(200)
                .header("Cache-Control", "no-store")
                .header("X-Content-Type-Options", "nosniff")
                .header("ETag", tag);
    }

    @Test
    void receivedMailChangesTheTag() {
        String id = path.substring(path.lastIndexOf('/') + 1);
        TestDatabase.update(
                "UPDATE address SET status = 'received', mail_from = 'a@example.org', mail_subject = 's',"
                        + " mail_received_at = now(), mail_size_bytes = 1, mail_attachment_count = 0 WHERE id = ?",
                id);

        getUnless(tag).then().statusCode(200).header("ETag", matchesPattern("(?!\\Q" + tag + "\\E).*"));
    }

    @Test
    void expiredAddressIsGoneWhateverTheTag() {
        TestDatabase.expire(path.substring(path.lastIndexOf('/') + 1));

        getUnless(tag).then().statusCode(410);
    }

    private Response getUnless(String tags) {
        return account.request().header("If-None-Match", tags).get(path);
    }
}
