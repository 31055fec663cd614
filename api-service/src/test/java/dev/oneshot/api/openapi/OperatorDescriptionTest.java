package dev.oneshot.api.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.Test;

/** The contents of the operator API's description. {@link DescribedAnswers} compares responses with it. */
@ServiceTest
class OperatorDescriptionTest {

    private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");

    private final ServedDescription description = ServedDescription.operators(
            ConfigProvider.getConfig().getValue("quarkus.management.test-port", Integer.class));

    @Test
    void itIsForTheOperatorOnly() {
        TestAccount.management().get("/operator/openapi").then().statusCode(401);
        TestAccount.operator().get("/operator/openapi").then().statusCode(200);
    }

    @Test
    void methodsThatAreDescribedAreThoseThatAreAllowed() {
        for (Map.Entry<String, JsonNode> path :
                description.document().path("paths").properties()) {
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

    @Test
    void examplesAreAsDescribed() {
        assertThat(description.complaintsAboutExamples()).isEmpty();
    }

    @Test
    void whateverIsSentAndAnsweredHasAnExample() {
        JsonNode document = description.document();
        for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
            for (Map.Entry<String, JsonNode> member : path.getValue().properties()) {
                JsonNode operation = member.getValue();
                if (!METHODS.contains(member.getKey()) || path.getKey().equals("/operator/openapi")) {
                    continue;
                }
                List<JsonNode> contents =
                        new ArrayList<>(List.of(operation.path("requestBody").path("content")));
                operation
                        .path("responses")
                        .forEach(response -> contents.add(resolved(response).path("content")));
                assertThat(contents)
                        .as(member.getKey() + " " + path.getKey())
                        .filteredOn(content -> !content.isMissingNode())
                        .allSatisfy(content -> assertThat(content.at("/application~1json/examples")
                                        .isEmpty())
                                .isFalse());
            }
        }
    }

    private JsonNode resolved(JsonNode response) {
        return response.has("$ref")
                ? description.document().at(response.path("$ref").asText().substring(1))
                : response;
    }
}
