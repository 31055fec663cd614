package dev.oneshot.api.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import io.restassured.response.Response;
import java.util.Arrays;
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
}
