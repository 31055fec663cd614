package dev.oneshot.api.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import dev.oneshot.local.backends.Program;
import io.restassured.response.Response;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contents of the descriptions. {@link DescribedResponses} compares responses with them. */
@ServiceTest
class DescriptionTest {

    private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");

    private static final Map<String, String> RECORDS = Map.ofEntries(
            Map.entry("Account", "account.AccountResource$AccountView"),
            Map.entry("AccountLimits", "account.AccountResource$AccountView$Limits"),
            Map.entry("Address", "address.Address"),
            Map.entry("AddressPage", "paging.Page"),
            Map.entry("ApiKey", "account.KeyRing$NewKey"),
            Map.entry("Attachment", "inbox.EmailView$AttachmentView"),
            Map.entry("BuyCredits", "quota.CreditsResource$BuyCredits"),
            Map.entry("CreateAddress", "address.CreateAddress"),
            Map.entry("CreatedAddress", "address.CreatedAddressView"),
            Map.entry("CreditsAdded", "quota.Credits$Added"),
            Map.entry("Email", "inbox.EmailView"),
            Map.entry("EmailSummary", "address.Address$EmailSummary"),
            Map.entry("Error", "error.ApiException$Body"),
            Map.entry("ErrorDetail", "error.ApiException$Body$Detail"),
            Map.entry("EmptyObject", "body.StrictJson$EmptyObject"),
            Map.entry("Send", "sending.SendRequest"),
            Map.entry("SendAttachment", "sending.SendRequest$Attachment"));

    @Test
    void membersAreThoseOfTheRecords() throws ClassNotFoundException {
        JsonNode schemas = ServedDescription.published().document().at("/components/schemas");
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

    /** Generators take the first media type that they know, and decode text as UTF-8. */
    @ParameterizedTest
    @ValueSource(strings = {"raw", "attachments/{index}"})
    void generatedClientsReadDownloadsAsBytes(String download) {
        JsonNode content = ServedDescription.published()
                .document()
                .path("paths")
                .path("/addresses/{id}/email/" + download)
                .at("/get/responses/200/content");

        assertThat(content.fieldNames().next()).isEqualTo("application/octet-stream");
        assertThat(content).allMatch(type -> type.at("/schema/format").asText().equals("binary"));
    }

    @Test
    void examplesAreAsDescribed() {
        assertThat(ServedDescription.published().complaintsAboutExamples()).isEmpty();
        assertThat(ServedDescription.operators().complaintsAboutExamples()).isEmpty();
    }

    /** Other tools accept the descriptions: swagger-parser finds no fault. */
    @ParameterizedTest
    @ValueSource(strings = {"openapi", "operator"})
    void descriptionIsValid(String folder) throws IOException {
        assertThat(Program.run(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        // With C2, it compiles for half of its time.
                        "-XX:TieredStopAtLevel=1",
                        "-jar",
                        "target/openapi-generator/openapi-generator-cli.jar",
                        "validate",
                        "--recommend",
                        "-i",
                        "target/classes/dev/oneshot/api/" + folder + "/openapi.json")))
                .contains("No validation issues detected.");
    }

    @Test
    void methodsOfTheOperatorApiThatAreDescribedAreThoseThatAreAllowed() {
        for (Map.Entry<String, JsonNode> path :
                ServedDescription.operators().document().path("paths").properties()) {
            Set<String> described = new TreeSet<>();
            path.getValue().properties().forEach(member -> described.add(member.getKey()));
            described.retainAll(METHODS);

            Response refused = TestAccount.operator()
                    .put(path.getKey().replace("{id}", UUID.randomUUID().toString()));

            assertThat(refused.statusCode()).as(path.getKey()).isEqualTo(405);
            assertThat(Arrays.asList(
                            refused.header("Allow").toLowerCase(Locale.ROOT).split(", ")))
                    .as(path.getKey())
                    .containsExactlyElementsOf(described);
        }
    }
}
