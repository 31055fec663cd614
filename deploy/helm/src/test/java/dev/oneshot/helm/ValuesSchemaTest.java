package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A value that cannot be meant is refused before anything is installed, with words that name it. */
class ValuesSchemaTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{api: {replicas: many}}                         | at '/api/replicas': got string, want integer",
                "{api: {replica: 3}}                             | at '/api': additional properties 'replica' not allowed",
                "{apis: {}}                                      | additional properties 'apis' not allowed",
                "{receiveDomain: Example.com}                    | at '/receiveDomain': 'Example.com' does not match pattern",
                "{ingest: {smtp: {containerPort: 0}}}            | at '/ingest/smtp/containerPort': minimum: got 0, want 1",
                "{ingest: {smtp: {proxyNetworks: [10.0.0.1]}}}   | at '/ingest/smtp/proxyNetworks/0': '10.0.0.1' does not match",
                "{api: {trustedProxies: [10.0.0.1]}}             | at '/api/trustedProxies/0': '10.0.0.1' does not match",
                "{kafka: {bootstrapServers: kafka}}              | at '/kafka/bootstrapServers': 'kafka' does not match pattern",
                "{kafka: {securityProtocol: TLS}}                | at '/kafka/securityProtocol': value must be one of 'PLAINTEXT'",
                "{api: {config: {ONESHOT_OPERATOR_TOKEN: x}}}    | invalid propertyName 'ONESHOT_OPERATOR_TOKEN'",
                "{api: {config: {PATH: x}}}                      | invalid propertyName 'PATH'",
                "{database: {host: 'db:5432'}}                   | at '/database/host': 'db:5432' does not match pattern",
                "{database: {host: 'a,,b'}}                      | at '/database/host': 'a,,b' does not match pattern",
                "{database: {host: ''}}                          | no database: set database.host",
                "{kafka: {bootstrapServers: ''}}                 | no Kafka: set kafka.bootstrapServers",
                "{mailer: {enabled: true}}                       | no relay: set relay.host, or mailer.enabled=false",
                "{cloudNativePg: {enabled: true}}                | leave both empty with cloudNativePg.enabled",
                "{database: {host: '', credentials: {existingSecret: ''}, expiryCredentials: {existingSecret: x}}, cloudNativePg: {enabled: true}} | leave it empty with cloudNativePg.enabled",
                "{strimzi: {enabled: true}}                      | leave it empty with strimzi.enabled",
                "{kafka: {securityProtocol: SASL_SSL}}           | kafka.sasl.existingSecret is needed",
                "{ingest: {smtp: {tls: {enabled: true}}}}        | no certificate for STARTTLS",
                "{certManager: {enabled: true}}                  | certManager.issuer is needed",
                "{ingress: {enabled: true}}                      | ingress.hosts is needed",
                "{gateway: {enabled: true}}                      | gateway.parentRefs is needed",
                "{api: {keda: {enabled: true}, autoscaling: {enabled: true}}} | would scale against each other: choose one",
                "{expiry: {autoscaling: {enabled: true, minReplicas: 5}}}     | expiry.autoscaling.minReplicas must not exceed",
                "{api: {keda: {enabled: true, minReplicas: 13}}}              | api.keda.minReplicas must not exceed maxReplicas"
            })
    void badValueIsRefusedByName(String values, String message, @TempDir Path directory) {
        // Given
        Path file = Chart.smallestWith(values, directory);

        // Then
        assertThatThrownBy(() -> Chart.install(file)).hasMessageContaining(message);
    }

    @Test
    void schemaKnowsEveryValueAndNothingElse() {
        // Given
        JsonNode schema = Yaml.read(Chart.DIRECTORY.resolve("values.schema.json"));
        ObjectNode values = Yaml.read(Chart.DIRECTORY.resolve("values.yaml"));

        // Then
        List<String> differences = new ArrayList<>();
        compare(values, schema, schema, "", differences);
        assertThat(differences).isEmpty();
    }

    /** Objects whose keys are the user's choice are not entered. */
    private static void compare(
            ObjectNode values, JsonNode schema, JsonNode root, String path, List<String> differences) {
        JsonNode here =
                schema.has("$ref") ? root.at(schema.path("$ref").asText().substring(1)) : schema;
        if (!here.has("properties")) {
            return;
        }
        values.fieldNames().forEachRemaining(name -> {
            if (!here.path("properties").has(name)) {
                differences.add("not in the schema: " + path + name);
            } else if (values.get(name) instanceof ObjectNode nested) {
                compare(nested, here.path("properties").get(name), root, path + name + ".", differences);
            }
        });
        here.path("properties").fieldNames().forEachRemaining(name -> {
            boolean optional = name.equals("global") || path.endsWith("requests.") || path.endsWith("limits.");
            if (!values.has(name) && !optional) {
                differences.add("not in values.yaml: " + path + name);
            }
        });
    }
}
