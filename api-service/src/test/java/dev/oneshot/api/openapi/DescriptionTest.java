package dev.oneshot.api.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.oneshot.api.ServiceTest;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the description says of itself; that answers are as described is held by {@link DescribedAnswers}. */
@ServiceTest
class DescriptionTest {

    private static final Set<String> METHODS = Set.of("get", "head", "post", "put", "patch", "delete");

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
    void everyOperationHasAnIdASummaryAndATag() {
        for (Map.Entry<String, JsonNode> path : document().path("paths").properties()) {
            for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
                if (METHODS.contains(operation.getKey())) {
                    assertThat(operation.getValue().path("operationId").asText())
                            .as(operation.getKey() + " " + path.getKey())
                            .isNotEmpty();
                    assertThat(operation.getValue().path("summary").asText())
                            .as(operation.getKey() + " " + path.getKey())
                            .isNotEmpty();
                    assertThat(operation.getValue().path("tags"))
                            .as(operation.getKey() + " " + path.getKey())
                            .isNotEmpty();
                }
            }
        }
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

    private static JsonNode document() {
        return ServedDescription.published().document();
    }
}
