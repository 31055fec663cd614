package dev.oneshot.api.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import dev.oneshot.api.ServiceTest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The contents of the description. {@link DescribedAnswers} compares responses with it. */
@ServiceTest
class DescriptionTest {

    private static final Set<String> METHODS = Set.of("get", "head", "post", "put", "patch", "delete");

    private static final Map<String, String> RECORDS = Map.ofEntries(
            Map.entry("Account", "quota.AccountResource$AccountView"),
            Map.entry("AccountLimits", "quota.AccountResource$AccountView$Limits"),
            Map.entry("Address", "address.Address"),
            Map.entry("AddressPage", "address.AddressResource$AddressPage"),
            Map.entry("ApiKey", "auth.ApiKeys$NewKey"),
            Map.entry("Attachment", "inbox.EmailView$AttachmentView"),
            Map.entry("BuyCredits", "quota.CreditResource$BuyCredits"),
            Map.entry("CreateAddress", "address.CreateAddress"),
            Map.entry("CreatedAddress", "address.CreatedAddressView"),
            Map.entry("CreditsAdded", "quota.Credits$Added"),
            Map.entry("Email", "inbox.EmailView"),
            Map.entry("EmailSummary", "address.Address$EmailSummary"),
            Map.entry("Error", "error.ErrorBody"),
            Map.entry("ErrorDetail", "error.ErrorBody$Detail"),
            Map.entry("NoMembers", "json.EmptyObject"),
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
    void noSchemaIsOnlyAReferenceToItself() {
        for (Map.Entry<String, JsonNode> schema :
                document().at("/components/schemas").properties()) {
            assertThat(schema.getValue().path("$ref").asText())
                    .as(schema.getKey())
                    .isNotEqualTo("#/components/schemas/" + schema.getKey());
        }
    }

    @Test
    void contentOfAnAttachmentToSendIsAStringInBase64() {
        JsonNode content = document().at("/components/schemas/SendAttachment/properties/content_base64");

        assertThat(content.path("type").toString()).contains("\"string\"");
        assertThat(content.path("format").asText()).isEqualTo("byte");
    }

    @Test
    void everyOperationHasAnIdASummaryADescriptionAndATag() {
        for (Map.Entry<String, JsonNode> path : document().path("paths").properties()) {
            for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
                if (METHODS.contains(operation.getKey())) {
                    assertThat(operation.getValue().path("operationId").asText())
                            .as(operation.getKey() + " " + path.getKey())
                            .isNotEmpty();
                    assertThat(operation.getValue().path("summary").asText())
                            .as(operation.getKey() + " " + path.getKey())
                            .isNotEmpty();
                    assertDescribed(operation.getKey() + " " + path.getKey(), operation.getValue());
                    assertThat(operation.getValue().path("tags"))
                            .as(operation.getKey() + " " + path.getKey())
                            .isNotEmpty();
                }
            }
        }
    }

    @Test
    void pathsAreRelativeToTheServer() {
        assertThat(document().at("/servers/0/url").asText()).isEqualTo("{base}/v1");
        assertThat(document().path("paths").has("/addresses/{id}/email/attachments/{index}"))
                .isTrue();
    }

    @Test
    void everyTagSchemaAndPropertyIsDescribed() {
        document().path("tags").forEach(tag -> assertDescribed(tag.path("name").asText(), tag));
        for (Map.Entry<String, JsonNode> schema :
                document().at("/components/schemas").properties()) {
            assertDescribed(schema.getKey(), schema.getValue());
            for (Map.Entry<String, JsonNode> property :
                    schema.getValue().path("properties").properties()) {
                assertDescribed(schema.getKey() + "." + property.getKey(), property.getValue());
            }
        }
    }

    @Test
    void everyParameterIsDescribed() {
        document()
                .path("paths")
                .findValues("parameters")
                .forEach(parameters -> parameters.forEach(
                        parameter -> assertDescribed(parameter.path("name").asText(), parameter)));
    }

    @Test
    void indexOfAnAttachmentIsAnInteger() {
        JsonNode parameters = document()
                .path("paths")
                .path("/addresses/{id}/email/attachments/{index}")
                .at("/get/parameters");

        assertThat(parameters)
                .filteredOn(parameter -> parameter.path("name").asText().equals("index"))
                .singleElement()
                .satisfies(
                        index -> assertThat(index.at("/schema/type").asText()).isEqualTo("integer"));
    }

    @Test
    void addressIsCreatedWithoutABody() {
        assertThat(document()
                        .path("paths")
                        .path("/addresses")
                        .at("/post/requestBody/required")
                        .asBoolean(false))
                .isFalse();
        assertThat(document()
                        .at("/components/schemas/CreateAddress/properties/ttl_seconds/format")
                        .asText())
                .isEqualTo("int32");
    }

    @Test
    void rawEmailIsTextForHeadAsForGet() {
        JsonNode raw = document().path("paths").path("/addresses/{id}/email/raw");

        assertThat(raw.at("/head/responses/200/content")).isEqualTo(raw.at("/get/responses/200/content"));
        assertThat(raw.at("/head/responses/200/content").has("text/plain")).isTrue();
    }

    @Test
    void numberOfAttachmentsIsDescribed() {
        assertThat(document()
                        .at("/components/schemas/Send/properties/attachments/maxItems")
                        .asInt())
                .isEqualTo(100);
    }

    @Test
    void examplesAreAsDescribed() {
        assertThat(ServedDescription.published().complaintsAboutExamples()).isEmpty();
    }

    private static void assertDescribed(String name, JsonNode described) {
        assertThat(described.path("description").asText()).as(name).isNotBlank();
    }

    private static JsonNode document() {
        return ServedDescription.published().document();
    }
}
