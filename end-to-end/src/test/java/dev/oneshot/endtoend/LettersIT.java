package dev.oneshot.endtoend;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Port;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Letters of the packaged services. The contacts are receive-mode addresses, each for one letter. */
@ExtendWith(SharedStack.class)
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ)
class LettersIT {

    private static final String NAME = "Bücher & Söhne <b>";
    private static final String NAME_IN_HTML = "Bücher &amp; Söhne &lt;b&gt;";

    private final LocalStack stack;

    LettersIT(LocalStack stack) {
        this.stack = stack;
    }

    @Test
    void allFourReachTheContactInTextAndHtml() {
        NotifiedAccount notified = new NotifiedAccount(stack);

        String nearly = notified.contact();
        notified.use(79);
        notified.create();
        notified.assertLetter(nearly, "80 % of your addresses are used", "has used 80 of the 100 addresses");

        String all = notified.contact();
        notified.use(99);
        notified.create();
        notified.assertLetter(all, "All of your addresses are used", "has used all 100 addresses");

        String receipt = notified.contact();
        notified.giveCredits();
        notified.assertLetter(receipt, "Receipt for your credits", "Reference: order 4711");

        String key = notified.contact();
        notified.replaceKey();
        notified.assertLetter(key, "Your API key was replaced", "The old key is no longer valid.");
    }

    /** An account whose contact receives letters, and the owner of the contact addresses. */
    private static final class NotifiedAccount {

        private final LocalStack stack;
        private final Account owner;
        private final String id;
        private final String key;

        NotifiedAccount(LocalStack stack) {
            this.stack = stack;
            this.owner = Account.create(stack);
            Response created =
                    operator().body(Map.of("name", NAME, "plan", "free")).post("/operator/accounts");
            created.then().statusCode(201);
            this.id = created.path("id");
            this.key = created.path("api_key");
        }

        /** A new contact address. */
        String contact() {
            String address = owner.createAddress();
            operator()
                    .body(Map.of("contact_email", address + "@in.oneshot.localhost"))
                    .patch("/operator/accounts/" + id)
                    .then()
                    .statusCode(200);
            return address;
        }

        void create() {
            given().baseUri("http://127.0.0.1:" + stack.settings().port(Port.HTTP))
                    .header("Authorization", "Bearer " + key)
                    .contentType("application/json")
                    .body("{}")
                    .post("/v1/addresses")
                    .then()
                    .statusCode(201);
        }

        void giveCredits() {
            operator()
                    .body(Map.of("credits", 5, "reference", "order 4711"))
                    .post("/operator/accounts/" + id + "/credits")
                    .then()
                    .statusCode(201);
        }

        void replaceKey() {
            operator().post("/operator/accounts/" + id + "/api-key").then().statusCode(201);
        }

        void assertLetter(String address, String subject, String text) {
            owner.awaitMail(address);
            Response mail = owner.get(address, "/email");
            assertThat(mail.<String>path("from")).isEqualTo("service@example.org");
            assertThat(mail.<String>path("subject")).isEqualTo(subject);
            assertThat(mail.<String>path("text_body")).contains(text).contains(NAME);
            assertThat(mail.<String>path("html_body")).contains(text).contains(NAME_IN_HTML);
        }

        void use(int addresses) {
            try (Connection connection = new StackDatabase(stack).connect();
                    PreparedStatement update =
                            connection.prepareStatement("UPDATE account SET used = ? WHERE id = ?::uuid")) {
                update.setInt(1, addresses);
                update.setString(2, id);
                update.executeUpdate();
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        }

        private RequestSpecification operator() {
            return given().baseUri("http://127.0.0.1:" + stack.settings().port(Port.API_MANAGEMENT))
                    .header("Authorization", "Bearer " + stack.operatorToken())
                    .contentType("application/json");
        }
    }
}
