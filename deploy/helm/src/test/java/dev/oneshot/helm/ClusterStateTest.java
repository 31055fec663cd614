package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
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

        assertThat(template(values)).contains("kind: Deployment").isEqualTo(template(values));
    }

    @Test
    void nothingIsGeneratedAndTheMessageNamesEverySecretToCreate() {
        assertThatThrownBy(() -> template(Chart.valueSet("operators")))
                .hasMessageContaining("the key address-keys, named by secrets.addressKeys.existingSecret")
                .hasMessageContaining("the key api-key-secrets, named by secrets.apiKeySecrets.existingSecret")
                .hasMessageContaining("the key operator-token, named by secrets.operatorToken.existingSecret")
                .hasMessageContaining("the key password, named by database.expiryCredentials.existingSecret");
    }

    @Test
    void aSecretThatIsNamedIsNotAskedFor(@TempDir Path directory) {
        assertThatThrownBy(() -> template(Chart.with("operators", NAMED, directory)))
                .hasMessageContaining("database.expiryCredentials.existingSecret")
                .message()
                .doesNotContain("secrets.");
    }

    private static String template(Path values) {
        return Chart.helm(Chart.DIRECTORY)
                .install()
                .clientOnly()
                .dryRun()
                .withName(Chart.RELEASE)
                .withNamespace(Chart.NAMESPACE)
                .withKubeVersion("1.33.0")
                .withValuesFile(values)
                .call()
                .getOutput();
    }
}
