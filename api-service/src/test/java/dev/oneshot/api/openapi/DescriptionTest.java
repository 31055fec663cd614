package dev.oneshot.api.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import dev.oneshot.api.ServiceTest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The contents of the description. {@link DescribedAnswers} compares responses with it. */
@ServiceTest
class DescriptionTest {

    private static final Map<String, String> RECORDS = Map.ofEntries(
            Map.entry("Account", "quota.AccountResource$AccountView"),
            Map.entry("AccountLimits", "quota.AccountResource$AccountView$Limits"),
            Map.entry("Address", "address.Address"),
            Map.entry("AddressPage", "paging.Page"),
            Map.entry("ApiKey", "auth.ApiKeys$NewKey"),
            Map.entry("Attachment", "inbox.EmailView$AttachmentView"),
            Map.entry("BuyCredits", "quota.CreditResource$BuyCredits"),
            Map.entry("CreateAddress", "address.CreateAddress"),
            Map.entry("CreatedAddress", "address.CreatedAddressView"),
            Map.entry("CreditsAdded", "quota.Credits$Added"),
            Map.entry("Email", "inbox.EmailView"),
            Map.entry("EmailSummary", "address.Address$EmailSummary"),
            Map.entry("Error", "error.ApiError$Body"),
            Map.entry("ErrorDetail", "error.ApiError$Body$Detail"),
            Map.entry("NoMembers", "json.StrictJson$EmptyObject"),
            Map.entry("Send", "sending.SendRequest"),
            Map.entry("SendAttachment", "sending.SendRequest$Attachment"));

    @Test
    void membersAreThoseOfTheRecords() throws ClassNotFoundException {
        JsonNode schemas = document().at("/components/schemas");
        assertThat(schemas.properties())
                .extracting(Map.Entry::getKey)
                .containsExactlyInAnyOrderElementsOf(RECORDS.keySet());
        for (Map.Entry<String, String> schema : RECORDS.entrySet()) {
            Class<?> type = Class.forName("dev.oneshot.api." + schema.getValue());
            List<String> members = Arrays.stream(type.getRecordComponents())
                    .filter(component -> !component.getAccessor().isAnnotationPresent(JsonIgnore.class))
                    .map(component ->
                            PropertyNamingStrategies.SnakeCaseStrategy.INSTANCE.translate(component.getName()))
                    .toList();

            assertThat(schemas.path(schema.getKey()).path("properties").properties())
                    .as(schema.getKey())
                    .extracting(Map.Entry::getKey)
                    .containsExactlyInAnyOrderElementsOf(members);
        }
    }

    @Test
    void examplesAreAsDescribed() {
        assertThat(ServedDescription.published().complaintsAboutExamples()).isEmpty();
    }

    private static JsonNode document() {
        return ServedDescription.published().document();
    }
}
