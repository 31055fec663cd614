package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What values do to the objects: a field by its path, or an environment variable by its name. */
class RenderedValuesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                // Every database server has the port.
                "smallest    | {database: {host: db.example.com}} | Deployment post-oneshot-api | ONESHOT_DATABASE_URL | jdbc:postgresql://db.example.com:5432/oneshot",
                "smallest    | {database: {host: 'one,two', port: 6432}} | Deployment post-oneshot-api | ONESHOT_DATABASE_URL | jdbc:postgresql://one:6432,two:6432/oneshot",
                "smallest    | {database: {host: 'one,two', port: 6432}} | Deployment post-oneshot-expiry | ONESHOT_DATABASE_URL | jdbc:postgresql://one:6432,two:6432/oneshot",
                "smallest    | {database: {host: '[2001:db8::1]'}} | Deployment post-oneshot-api | ONESHOT_DATABASE_URL | jdbc:postgresql://[2001:db8::1]:5432/oneshot",
                // Helm reads numbers as floating point and would write 1e+07.
                "smallest    | {api: {config: {ONESHOT_INBOX_READ_MEMORY: 10000000}}} | Deployment post-oneshot-api | ONESHOT_INBOX_READ_MEMORY | 10000000",
                "smallest    | {api: {config: {ONESHOT_EXAMPLE_SHARE: 0.25}}} | Deployment post-oneshot-api | ONESHOT_EXAMPLE_SHARE | 0.25",
                "smallest    | {api: {keda: {enabled: true, lagThreshold: 1000000}}} | ScaledObject post-oneshot-api | /spec/triggers/0/metadata/lagThreshold | 1000000",
                // The migration runs where its nodes are named, and has two thirds of its time for locks.
                "smallest    | {migration: {enabled: true, nodeSelector: {pool: batch}}} | Job post-oneshot-migration | /spec/template/spec/nodeSelector/pool | batch",
                "smallest    | {migration: {enabled: true, tolerations: [{key: batch, operator: Exists}]}} | Job post-oneshot-migration | /spec/template/spec/tolerations/0/key | batch",
                "smallest    | {migration: {enabled: true, timeoutSeconds: 1800}} | Job post-oneshot-migration | /spec/activeDeadlineSeconds | 1800",
                "smallest    | {migration: {enabled: true, timeoutSeconds: 1800}} | Job post-oneshot-migration | ONESHOT_MIGRATION_LOCK_PATIENCE | 1200s",
                // Mail arrives over both families when that is asked for.
                "smallest    | {ingest: {service: {ipFamilyPolicy: RequireDualStack}}} | Service post-oneshot-smtp | /spec/ipFamilyPolicy | RequireDualStack",
                "smallest    | {bindAddress: '::'} | Deployment post-oneshot-ingest | ONESHOT_SMTP_HOST | ::",
                "smallest    | {} | Service post-oneshot-smtp | /spec/ipFamilyPolicy | none",
                // The address of the sending server is kept.
                "own-servers | {} | Service post-oneshot-smtp | /spec/type | LoadBalancer",
                "own-servers | {} | Service post-oneshot-smtp | /spec/externalTrafficPolicy | Local",
                "own-servers | {} | Service post-oneshot-smtp | /spec/ports/0/port | 25",
                // The backup is the user's, and none is made unasked.
                "operators   | {} | Cluster post-oneshot-postgres | /spec/backup/volumeSnapshot/className | fast-snapshots",
                "operators   | {} | Cluster post-oneshot-postgres | /spec/plugins/0/isWALArchiver | true",
                "operators   | {cloudNativePg: {backup: null, plugins: []}} | Cluster post-oneshot-postgres | /spec/backup | none",
                "operators   | {cloudNativePg: {backup: null, plugins: []}} | Cluster post-oneshot-postgres | /spec/plugins | none",
                // 20 connections for each of 24 replicas of api and one more, for each of two of expiry and one more,
                // and 20.
                "operators   | {} | Cluster post-oneshot-postgres | /spec/postgresql/parameters/max_connections | 580",
                "operators   | {cloudNativePg: {parameters: {max_connections: 580}}} | Cluster post-oneshot-postgres | /spec/postgresql/parameters/max_connections | 580",
                "operators   | {api: {keda: {enabled: false}, config: {ONESHOT_DATABASE_CONNECTIONS: 10}}} | Cluster post-oneshot-postgres | /spec/postgresql/parameters/max_connections | 110",
                // Replicas of a partition are in different zones where nodes name them.
                "operators   | {strimzi: {rackTopologyKey: topology.kubernetes.io/zone}} | Kafka post-oneshot-kafka | /spec/kafka/rack/topologyKey | topology.kubernetes.io/zone",
                "operators   | {strimzi: {rackTopologyKey: ''}} | Kafka post-oneshot-kafka | /spec/kafka/rack | none",
            })
    void valueIsRendered(
            String set, String values, String object, String field, String expected, @TempDir Path directory) {
        Manifests manifests = Chart.install(Chart.with(set, values, directory));

        String[] words = object.split(" ", -1);
        ObjectNode found = manifests.only(words[0], words[1]);
        String rendered = field.startsWith("/")
                ? text(found.at(field))
                : manifests.environmentOf(found).getOrDefault(field, "none");
        assertThat(rendered).isEqualTo(expected);
    }

    private static String text(JsonNode node) {
        return node.isMissingNode() ? "none" : node.asText();
    }
}
