package dev.oneshot.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.oneshot.client.MisbehavingServer.Request;
import dev.oneshot.client.MisbehavingServer.Then;
import java.time.Instant;
import java.util.Iterator;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of good and bad responses. */
@NullMarked
@Execution(ExecutionMode.CONCURRENT)
class ResponseTest {

    @RegisterExtension
    final MisbehavingServer server = new MisbehavingServer();

    private final OneshotClient client = server.client();

    @Test
    void anAddressHasTheMembersOfTheContract() {
        server.then(200, Bodies.RECEIVED);

        assertThat(client.getAddress("abc@in.example.org"))
                .isEqualTo(new Address(
                        "abc",
                        "abc@in.example.org",
                        Mode.RECEIVE,
                        Status.RECEIVED,
                        Instant.parse("2036-01-31T13:00:00Z"),
                        "sign-up",
                        null,
                        new EmailSummary(
                                "ada@example.org", "Hello", Instant.parse("2036-01-31T12:00:05Z"), 321, true, 1)));

        assertThat(server.requests()).extracting(Request::path).containsExactly("/v1/addresses/abc");
    }

    @Test
    void anEmailHasTheMembersOfTheContract() {
        server.then(200, Bodies.EMAIL);

        Email email = client.getEmail("abc");

        assertThat(email.headers()).containsEntry("subject", "Your code").containsEntry("Received", "one\ntwo");
        assertThat(email.attachments())
                .containsExactly(
                        new Attachment("a.txt", "text/plain", 5, "/addresses/abc/email/attachments/0", null, null),
                        new Attachment(
                                "b.png",
                                "image/png",
                                7,
                                "/addresses/abc/email/attachments/1",
                                "b@example.org",
                                "images/b.png"));
        assertThat(email.codes()).extracting(Code::value).containsExactly("482913");
        assertThat(email.codes().get(0).why()).isEqualTo("\"code\" before it; 6 digits");
    }

    @Test
    void aListIsReadPageByPage() {
        server.then(200, "{\"items\":[" + Bodies.WAITING + "],\"next_cursor\":\"a+b\"}")
                .then(200, "{\"items\":[" + Bodies.RECEIVED + "],\"next_cursor\":null}");

        Iterator<Address> addresses = client.listAddresses(AddressFilter.ALL
                        .withLabel("a & b")
                        .withStatus(Status.WAITING)
                        .withMode(Mode.RECEIVE))
                .iterator();

        assertThat(server.requests()).isEmpty();
        assertThat(addresses.next().status()).isEqualTo(Status.WAITING);
        assertThat(server.requests()).hasSize(1);
        assertThat(addresses.next().status()).isEqualTo(Status.RECEIVED);
        assertThat(addresses.hasNext()).isFalse();
        String query = "/v1/addresses?limit=100&status=waiting&mode=receive&label=a+%26+b";
        assertThat(server.requests()).extracting(Request::path).containsExactly(query, query + "&cursor=a%2Bb");
    }

    @Test
    void aListWhosePagesRepeatIsAnError() {
        server.then(200, "{\"items\":[],\"next_cursor\":\"a\"}");
        Iterator<Address> addresses = client.listAddresses().iterator();

        assertThatThrownBy(addresses::hasNext)
                .isExactlyInstanceOf(OneshotException.class)
                .hasMessageContaining("the list does not end");

        assertThat(server.requests()).hasSize(2);
    }

    @Test
    void anErrorHasAllThatTheServiceSays() {
        server.then(
                402,
                "{\"error\":{\"code\":\"QUOTA_EXCEEDED\",\"message\":\"used up\",\"upgrade_url\":\"https://example.com/p\"}}",
                "X-Request-Id: r-1");

        ApiException error = catchThrowableOfType(ApiException.class, client::createAddress);

        assertThat(error.status()).isEqualTo(402);
        assertThat(error.code()).isEqualTo("QUOTA_EXCEEDED");
        assertThat(error.errorMessage()).isEqualTo("used up");
        assertThat(error.requestId()).contains("r-1");
        assertThat(error.upgradeUrl()).contains("https://example.com/p");
        assertThat(error).hasMessage("QUOTA_EXCEEDED (402): used up; see https://example.com/p [request r-1]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<html>", "{}", "{\"error\":\"x\"}", "{\"error\":{\"code\":1,\"message\":\"x\"}}"})
    void anErrorWithoutAnErrorBodyIsKnownByItsStatus(String body) {
        server.then(403, body);

        ApiException error = catchThrowableOfType(ApiException.class, client::getAccount);

        assertThat(error.code()).isEqualTo("UNKNOWN");
        assertThat(error.status()).isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"id\":\"abc\"         | \"id\":7                    | id is not a string",
                "\"id\":\"abc\",        |                             | id is not a string",
                "2036-01-31T13:00:00Z   | tomorrow                    | expires_at is not a timestamp",
                "\"email\":null         | \"email\":[]                | email is not an object",
                "\"email\":null         | \"email\":{\"from\":\"\",\"subject\":\"\",\"received_at\":\"2036-01-31T12:00:05Z\",\"size_bytes\":1e3} | size_bytes is not an integer",
                "\"email\":null         | \"email\":null,,            | is not JSON",
                "}                      | }]                          | is not JSON",
                "{                      | [                           | is not JSON"
            })
    void aResponseOfWrongTypesIsAnErrorThatNamesTheMember(String good, String bad, String message) {
        server.then(200, Bodies.WAITING.replace(good, bad == null ? "" : bad));

        assertThatThrownBy(() -> client.getAddress("abc"))
                .isExactlyInstanceOf(OneshotException.class)
                .hasMessageContaining("GET " + server.url() + "/addresses/abc")
                .hasMessageContaining(message);

        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void aStatusAndAModeOfALaterVersionAreUnknown() {
        server.then(200, Bodies.WAITING.replace("waiting", "asleep").replace("receive", "forward"));

        Address address = client.getAddress("abc");

        assertThat(address.status()).isEqualTo(Status.UNKNOWN);
        assertThat(address.mode()).isEqualTo(Mode.UNKNOWN);
    }

    @Test
    void aDeeplyNestedResponseIsAnError() {
        server.then(200, "{\"a\":" + "[".repeat(1900));

        assertThatThrownBy(client::getAccount).isExactlyInstanceOf(OneshotException.class);
    }

    @Test
    void noMoreOfAResponseIsReadThanTheBound() {
        server.thenRaw("HTTP/1.1 200 OK\r\n\r\n", Then.REPEAT_FOR_EVER);

        assertThatThrownBy(client::getAccount)
                .isExactlyInstanceOf(OneshotException.class)
                .hasMessageContaining("has more than 2000 bytes");
    }

    @Test
    void aResponseAsLargeAsTheBoundIsRead() {
        server.then(200, Bodies.ACCOUNT + " ".repeat(2000 - Bodies.ACCOUNT.length()));

        assertThat(client.getAccount().plan()).isEqualTo("pro");
    }

    @Test
    void noMoreOfAnErrorIsReadThanItsBound() {
        server.thenRaw("HTTP/1.1 500 x\r\n\r\n", Then.REPEAT_FOR_EVER);

        ApiException error = catchThrowableOfType(ApiException.class, client::getAccount);

        assertThat(error.status()).isEqualTo(500);
        assertThat(error).hasMessageContaining("(500) has more than 65536 bytes");
    }

    @Test
    void aDeletionNeedsALabel() {
        assertThatThrownBy(() -> client.deleteAddressesByLabel(""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("label must have 1 to 255 characters; nothing is deleted");

        assertThat(server.requests()).isEmpty();
    }
}
