package dev.oneshot.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.junit.SharedStack;
import io.restassured.response.Response;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Letters of the packaged services. The contacts are receive-mode addresses, each for one letter. */
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ)
@ResourceLock(value = OwnMailers.LOCK, mode = ResourceAccessMode.READ)
class LettersIT extends StackTest {

    private static final String NAME = "Bücher & Söhne <b>";
    private static final String NAME_IN_HTML = "Bücher &amp; Söhne &lt;b&gt;";

    private final Operator operator;
    private final Account notified;

    LettersIT(LocalStack stack) {
        this.operator = Operator.of(stack);
        this.notified = Account.create(stack, "free", NAME);
    }

    @Test
    void allFourReachTheContactInTextAndHtml() {
        String nearly = contact();
        use(notified, 79);
        notified.createAddress();
        assertLetter(nearly, "80 % of your addresses are used", "has used 80 of the 100 addresses");

        String all = contact();
        use(notified, 99);
        notified.createAddress();
        assertLetter(all, "All of your addresses are used", "has used all 100 addresses");

        String receipt = contact();
        operator.request()
                .body(Map.of("credits", 5, "reference", "order 4711"))
                .post(path("/credits"))
                .then()
                .statusCode(201);
        assertLetter(receipt, "Receipt for your credits", "Reference: order 4711");

        String key = contact();
        operator.request().post(path("/api-key")).then().statusCode(201);
        assertLetter(key, "Your API key was replaced", "The old key is no longer valid.");
    }

    private String path(String below) {
        return "/operator/accounts/" + notified.id() + below;
    }

    /** A new contact address. */
    private String contact() {
        String address = account.createAddress();
        operator.request()
                .body(Map.of("contact_email", Account.mailbox(address)))
                .patch(path(""))
                .then()
                .statusCode(200);
        return address;
    }

    private void assertLetter(String address, String subject, String text) {
        account.awaitMail(address);
        Response mail = account.get(address, "/email");
        assertThat(mail.<String>path("from")).isEqualTo("service@example.org");
        assertThat(mail.<String>path("subject")).isEqualTo(subject);
        assertThat(mail.<String>path("text_body")).contains(text).contains(NAME);
        assertThat(mail.<String>path("html_body")).contains(text).contains(NAME_IN_HTML);
    }
}
