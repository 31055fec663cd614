package dev.oneshot.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.api.TestMail;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Members are in the contract's order. */
@ServiceTest
class MemberOrderTest {

    private final TestAccount account = TestAccount.onPlan("scale");

    @Test
    void membersOfAddressesAndMailsAreInTheContractsOrder() {
        Response created = account.create("{\"label\":\"a\"}");
        String id = created.path("id");
        account.receive(TestMail.event(id, TestMail.SIMPLE));

        assertThat(names(created)).containsExactly("id", "address", "mode", "status", "expires_at", "label");
        assertThat(names(account.get(id)))
                .containsExactly("id", "address", "mode", "status", "expires_at", "label", "email");
        assertThat(names(json(account.get(id)).path("email")))
                .containsExactly("from", "subject", "received_at", "size_bytes", "has_attachments", "attachment_count");
        assertThat(names(account.request().get("/v1/addresses"))).containsExactly("items", "next_cursor");
        assertThat(names(account.get(id + "/email")))
                .containsExactly(
                        "from",
                        "to",
                        "subject",
                        "text_body",
                        "html_body",
                        "headers",
                        "received_at",
                        "size_bytes",
                        "attachments");
    }

    @Test
    void membersOfAccountsAndErrorsAreInTheContractsOrder() {
        assertThat(names(account.request().get("/v1/account")))
                .containsExactly(
                        "id", "name", "plan", "billing_cycle_ends", "monthly_allocation", "used", "credits", "limits");
        assertThat(names(json(account.request().get("/v1/account")).path("limits")))
                .containsExactly(
                        "max_ttl_seconds", "max_email_bytes", "max_attachment_bytes", "requests_per_second", "burst");
        assertThat(names(json(account.request().get("/v1/nothing")).path("error")))
                .containsExactly("code", "message");
        assertThat(names(TestAccount.operator().get("/operator/accounts/" + account.id())))
                .startsWith("id", "name", "plan");
    }

    private static List<String> names(Response answer) {
        return names(json(answer));
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static JsonNode json(Response answer) {
        try {
            return new ObjectMapper().readTree(answer.asString());
        } catch (JsonProcessingException e) {
            throw new AssertionError(answer.asString(), e);
        }
    }
}
