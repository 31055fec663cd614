package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An invalid value is rejected before anything is installed, with a message that names it. */
class ValuesSchemaTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{api: {replicas: many}}                         | at '/api/replicas': got string, want integer",
                "{api: {replica: 3}}                             | at '/api': additional properties 'replica' not allowed",
                "{userId: -1}                                    | at '/userId': minimum: got -1, want 0",
                "{userId: 2147483648}                            | at '/userId': maximum: got 2.147483648",
                "{userId: root}                                  | at '/userId': got string, want integer",
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
                "{database: {tls: {clientSecret: a}}}            | database.tls.clientSecret needs database.tls.caSecret",
                "{database: {tls: {expiryClientSecret: a}}}      | database.tls.clientSecret needs database.tls.caSecret",
                "{database: {tls: {caSecret: a, expiryClientSecret: b}}} | database.tls.expiryClientSecret needs database.tls.clientSecret",
                "{database: {tls: {caSecret: a}, parameters: sslmode=require}} | database.parameters must not say ssl",
                "{database: {tls: {caSecret: a}, parameters: a=b&sslrootcert=c}} | database.parameters must not say ssl",
                "{database: {tls: {clientKeyAlgorithm: DSA}}}    | at '/database/tls/clientKeyAlgorithm': value must be one of 'RSA', 'EC'",
                "{database: {host: '', credentials: {existingSecret: ''}, tls: {caSecret: a}}, cloudNativePg: {enabled: true}} | database.tls is for your own PostgreSQL",
                "{kafka: {tls: {caSecret: a}}}                   | need kafka.securityProtocol SSL or SASL_SSL, not PLAINTEXT",
                "{kafka: {tls: {clientSecret: a}, securityProtocol: SASL_PLAINTEXT, sasl: {existingSecret: b}}} | need kafka.securityProtocol SSL or SASL_SSL, not SASL_PLAINTEXT",
                "{kafka: {bootstrapServers: '', tls: {clientSecret: a}}, strimzi: {enabled: true}} | kafka.tls is for your own Kafka",
                "{kafka: {securityProtocol: SASL_SSL}}           | kafka.sasl.existingSecret is needed",
                "{ingest: {smtp: {tls: {enabled: true}}}}        | no certificate for STARTTLS",
                "{certManager: {enabled: true}}                  | certManager.issuer is needed",
                "{ingress: {enabled: true}}                      | ingress.hosts is needed",
                "{gateway: {enabled: true}}                      | gateway.parentRefs is needed",
                "{api: {keda: {enabled: true}, autoscaling: {enabled: true}}} | would scale against each other: choose one",
                "{expiry: {autoscaling: {enabled: true, minReplicas: 5}}}     | expiry.autoscaling.minReplicas must not exceed",
                "{api: {keda: {enabled: true, minReplicas: 13}}}              | api.keda.minReplicas must not exceed maxReplicas",
                "{fullnameOverride: 1post}                       | at '/fullnameOverride': '1post' does not match pattern",
                "{fullnameOverride: post.mail}                   | at '/fullnameOverride': 'post.mail' does not match pattern",
                "{fullnameOverride: a2345678901234567890123456789012345678901} | at '/fullnameOverride': maxLength: got 41, want 40",
                "{ingress: {enabled: true, hosts: ['https://a.example.com']}} | at '/ingress/hosts/0'",
                "{gateway: {hostnames: [a.example.com/v1]}}      | at '/gateway/hostnames/0'",
                "{api: {trustedProxies: [10.0.0.0/33]}}          | at '/api/trustedProxies/0': '10.0.0.0/33' does not match",
                "{api: {trustedProxies: [10.0.0.256/8]}}         | at '/api/trustedProxies/0': '10.0.0.256/8' does not match",
                "{api: {trustedProxies: ['fd00::/129']}}         | at '/api/trustedProxies/0': 'fd00::/129' does not match",
                "{ingest: {service: {loadBalancerSourceRanges: [10.0.0.1]}}} | at '/ingest/service/loadBalancerSourceRanges/0'",
                "{ingest: {smtp: {postmaster: ops}}}             | at '/ingest/smtp/postmaster': 'ops' does not match",
                "{kafka: {peers: [{ipBlock: {cidr: 10.0.0.1}}]}} | at '/kafka/peers/0/ipBlock/cidr'",
                "{networkPolicy: {databasePorts: [0]}}           | at '/networkPolicy/databasePorts/0': minimum: got 0, want 1",
                "{networkPolicy: {dnsPorts: []}}                 | at '/networkPolicy/dnsPorts': minItems: got 0, want 1",
                "{api: {podDisruptionBudget: {maxUnavailable: 0}}}            | at '/api/podDisruptionBudget/maxUnavailable': minimum: got 0, want 1",
                "{api: {podDisruptionBudget: {maxUnavailable: '0%'}}}         | at '/api/podDisruptionBudget/maxUnavailable': '0%' does not match",
                "{api: {port: 9000}}                             | api.port and api.managementPort must differ",
                "{ingest: {managementPort: 25}}                  | ingest.smtp.containerPort and ingest.managementPort must differ",
                "{mailer: {enabled: true}, relay: {host: r, tls: none, credentials: {existingSecret: s}}} | would send the password in the clear",
                "{api: {config: {ONESHOT_HTTP_PORT: 80}}}        | api.config.ONESHOT_HTTP_PORT is set by the chart itself",
                "{api: {config: {ONESHOT_DATABASE_USERNAME: x}}} | api.config.ONESHOT_DATABASE_USERNAME is set by the chart itself",
                "{api: {config: {ONESHOT_KAFKA_STOP_TIMEOUT: 9m}}}   | ONESHOT_KAFKA_STOP_TIMEOUT is set by the chart itself",
                "{ingest: {config: {ONESHOT_SMTP_STOP_TIMEOUT: 9m}}} | ONESHOT_SMTP_STOP_TIMEOUT is set by the chart itself",
                "{mailer: {enabled: true, config: {ONESHOT_MAILER_DRAIN_TIMEOUT: 9m}}, relay: {host: r}} | ONESHOT_MAILER_DRAIN_TIMEOUT is set by the chart itself",
                "{expiry: {config: {ONESHOT_EXPIRY_STOP_TIMEOUT: 9m}}} | ONESHOT_EXPIRY_STOP_TIMEOUT is set by the chart itself",
                "{ingest: {config: {ONESHOT_RECEIVE_DOMAIN: x}}} | ingest.config.ONESHOT_RECEIVE_DOMAIN is set by the chart itself",
                "{kafka: {bootstrapServers: ''}, strimzi: {enabled: true, nodes: 1, brokers: 1}} | strimzi.nodes and strimzi.brokers together must be at least",
                "{strimzi: {rackTopologyKey: 'a zone'}}           | at '/strimzi/rackTopologyKey': 'a zone' does not match",
                "{cloudNativePg: {plugins: [{isWALArchiver: true}]}} | at '/cloudNativePg/plugins/0': missing property 'name'",
                "{strimzi: {nodes: 10}}                          | at '/strimzi/nodes': maximum: got 10, want 9",
                "{strimzi: {partitionsByTopic: {mail.outbound: 3}}}           | strimzi.partitionsByTopic names mail.outbound, which is none of mail.inbound"
            })
    void badValueIsRefusedByName(String values, String message, @TempDir Path directory) {
        // Given
        Path file = Chart.smallestWith(values, directory);

        // Then
        assertThatThrownBy(() -> Chart.install(file)).hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{fullnameOverride: a234567890123456789012345678901234567890}",
                "{ingest: {smtp: {postmaster: ops@example.org}}}",
                "{ingress: {enabled: true, hosts: ['*.example.com', localhost]}}",
                "{api: {trustedProxies: [0.0.0.0/0, 255.255.255.255/32, '::/0', 'fd00::1/128', '::ffff:10.0.0.0/104']}}",
                "{database: {tls: {caSecret: a}, parameters: targetServerType=primary}}",
                "{database: {parameters: sslmode=require}}",
                "{api: {podDisruptionBudget: {enabled: true, maxUnavailable: '1%'}}}",
                "{api: {podDisruptionBudget: {enabled: true, maxUnavailable: '100%'}}}",
                "{api: {config: {QUARKUS_LOG_LEVEL: DEBUG, ONESHOT_DATABASE_CONNECTIONS: 10}}}",
                "{ingest: {config: {KAFKA_CLIENT_DNS_LOOKUP: x, MP_MESSAGING_OUTGOING_MAIL_INBOUND_LINGER_MS: 5}}}",
                "{mailer: {enabled: true}, relay: {host: r, tls: none}}",
                "{strimzi: {partitionsByTopic: {mail.settled.dlq: 1}}}",
                "{strimzi: {nodes: 9, brokers: 100}}",
                "{kafka: {bootstrapServers: ''}, strimzi: {enabled: true, nodes: 1, brokers: 2}}"
            })
    void valueAtTheEdgeIsTaken(String values, @TempDir Path directory) {
        assertThat(Chart.install(Chart.smallestWith(values, directory)).workloads())
                .hasSizeGreaterThanOrEqualTo(3);
    }

    /** Helm allows release names that a Service cannot have. */
    @ParameterizedTest
    @ValueSource(strings = {"1post", "post.mail"})
    void releaseThatAServiceCannotBeNamedAfterIsRefused(String release, @TempDir Path directory) throws IOException {
        try (KubernetesApi api = new KubernetesApi()) {
            assertThatThrownBy(() -> Chart.install(api, release, Chart.valueSet("smallest")))
                    .hasMessageContaining("set fullnameOverride");

            Chart.install(api, release, Chart.smallestWith("{fullnameOverride: post}", directory));
            assertThat(api.find("Service", "post-api")).isNotNull();
        }
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

    /** Skips objects whose keys the user chooses. */
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
