package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Renders without a cluster, as by {@code helm template} and Argo CD. */
class ClusterStateTest {

    private static final String NAMED = """
            secrets:
              addressKeys: {existingSecret: a}
              apiKeySecrets: {existingSecret: b}
              operatorToken: {existingSecret: c}
            """;

    @ParameterizedTest
    @ValueSource(strings = {"smallest", "own-servers", "operators"})
    void twoRendersAreTheSameIfAllSecretsAreNamed(String set, @TempDir Path directory) {
        Path values = Chart.with(set, NAMED + "database: {expiryCredentials: {existingSecret: d}}", directory);

        assertThat(rendered(values)).hasSizeGreaterThan(10).containsExactlyInAnyOrderElementsOf(rendered(values));
    }

    @Test
    void nothingIsGeneratedAndTheMessageNamesEverySecretToCreate() {
        assertThatThrownBy(() -> rendered(Chart.valueSet("operators")))
                .hasMessageContaining("the key address-keys, named by secrets.addressKeys.existingSecret")
                .hasMessageContaining("the key api-key-secrets, named by secrets.apiKeySecrets.existingSecret")
                .hasMessageContaining("the key operator-token, named by secrets.operatorToken.existingSecret")
                .hasMessageContaining("the key password, named by database.expiryCredentials.existingSecret");
    }

    @Test
    void aSecretThatIsNamedIsNotAskedFor(@TempDir Path directory) {
        assertThatThrownBy(() -> rendered(Chart.with("operators", NAMED, directory)))
                .hasMessageContaining("database.expiryCredentials.existingSecret")
                .message()
                .doesNotContain("secrets.addressKeys", "secrets.apiKeySecrets", "secrets.operatorToken");
    }

    /** As by {@code helm template}: every lookup is empty, even that of the default namespace. */
    private static List<ObjectNode> rendered(Path values) {
        try (KubernetesApi api = new KubernetesApi()) {
            api.remove("Namespace", "default");
            Chart.install(api, values);
            return api.created();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
