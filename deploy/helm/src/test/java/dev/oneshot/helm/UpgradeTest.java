package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UpgradeTest {

    private static final String ADDRESS_KEYS = "post-oneshot-address-keys";
    private static final String API_KEY_SECRETS = "post-oneshot-api-key-secrets";

    private final KubernetesApi api = new KubernetesApi();

    @TempDir
    private Path directory;

    UpgradeTest() throws IOException {}

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void eachInstallationGeneratesAnAddressKeyOfItsOwnThatTheServicesAccept() {
        // When
        List<String> keys = Stream.generate(() -> new Manifests(Chart.installAgain(Chart.valueSet("smallest"))))
                .limit(2)
                .map(manifests -> manifests.only("Secret", ADDRESS_KEYS).at("/data/address-keys"))
                .map(key -> new String(Base64.getDecoder().decode(key.asText()), StandardCharsets.US_ASCII))
                .toList();
        // Then
        assertThat(keys)
                .doesNotHaveDuplicates()
                .allSatisfy(key -> assertThat(Base64.getDecoder().decode(key)).hasSizeGreaterThanOrEqualTo(32));
    }

    @ParameterizedTest
    @CsvSource({
        "post-oneshot-address-keys, address-keys, smallest",
        "post-oneshot-api-key-secrets, api-key-secrets, smallest",
        "post-oneshot-operator-token, operator-token, smallest",
        "post-oneshot-postgres-expiry, password, operators"
    })
    void upgradeKeepsSecretsThatWereGeneratedAndRotatedByHand(String name, String key, String values) {
        // Given
        Chart.install(api, Chart.valueSet(values));
        ObjectNode before = api.only("Secret", name);
        assertThat(before.path("data").has(key)).isTrue();
        before.withObject("/data").put(key, "cm90YXRlZA==");
        api.put(before);

        // When
        Chart.upgrade(api, Chart.valueSet(values));

        // Then
        JsonNode after = api.only("Secret", name);
        assertThat(after.path("data")).isEqualTo(before.path("data"));
        assertThat(after.at("/metadata/annotations/helm.sh~1resource-policy").asText())
                .isEqualTo("keep");
    }

    @Test
    void databaseOfTheUserIsMigratedByAJobBeforeAnythingElseExists() {
        // When
        Manifests manifests = Chart.install(Chart.valueSet("own-servers"));

        // Then
        assertThat(manifests.objects().stream().map(Manifests::titleOf))
                .startsWith("NetworkPolicy post-oneshot-migration", "Job post-oneshot-migration");
        assertThat(manifests.environmentOf(manifests.only("Deployment", "post-oneshot-api")))
                .containsEntry("ONESHOT_MIGRATION_AT_START", "false");
    }

    @Test
    void databaseMadeByThisReleaseIsMigratedByTheServiceFirstAndByAJobLater() {
        // Given
        Chart.install(api, Chart.valueSet("operators"));
        Manifests installed = new Manifests(api.created());
        assertThat(installed.ofKind("Job")).isEmpty();
        assertThat(installed.environmentOf(installed.only("Deployment", "post-oneshot-api")))
                .containsEntry("ONESHOT_MIGRATION_AT_START", "true");

        // When
        Chart.upgrade(api, Chart.valueSet("operators"));

        // Then
        assertThat(new Manifests(api.created()).ofKind("Job")).hasSize(1);
        assertThat(migratesAtStart()).isEqualTo("false");
    }

    /** The Job would run before the cluster that it waits for is created. */
    @Test
    void databaseThatAnUpgradeMakesIsMigratedByTheServiceFirstAndByAJobLater() {
        // Given
        Chart.install(api, Chart.valueSet("own-servers"));
        int installed = api.created().size();
        Path operators = Chart.with("operators", """
                secrets:
                  addressKeys: {existingSecret: oneshot-address-keys}
                  apiKeySecrets: {existingSecret: oneshot-api-key-secrets}
                """, directory);

        // When
        Chart.upgrade(api, operators);

        // Then
        assertThat(new Manifests(api.created().subList(installed, api.created().size())).ofKind("Job"))
                .isEmpty();
        assertThat(migratesAtStart()).isEqualTo("true");

        Chart.upgrade(api, operators);
        assertThat(new Manifests(api.created().subList(installed, api.created().size())).ofKind("Job"))
                .hasSize(1);
        assertThat(migratesAtStart()).isEqualTo("false");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{autoscaling: {enabled: true}}", "{keda: {enabled: true}}"})
    void upgradeThatTurnsScalingOnKeepsTheReplicasThatAreThere(String scaling) {
        // Given
        Chart.install(api, Chart.smallestWith("{api: {replicas: 5}}", directory));

        // When
        Path scaled = Chart.smallestWith("{api: %s}".formatted(scaling), directory);
        Chart.upgrade(api, scaled);

        // Then
        assertThat(replicas()).isEqualTo(5);

        scaleTo(7);
        Chart.upgrade(api, scaled);
        assertThat(replicas()).isEqualTo(7);
    }

    /** Values of an installation and of an upgrade that would lose objects, keys or a quorum. */
    @ParameterizedTest
    @CsvFileSource(resources = "/refused-upgrades.txt", delimiter = '|')
    void upgradeThatWouldLoseSomethingIsRefused(String set, String installed, String values, String message) {
        // Given
        Chart.install(api, Chart.with(set, installed, directory));
        List<ObjectNode> before = api.created();

        // Then
        assertThatThrownBy(() -> Chart.upgrade(api, Chart.with(set, values, directory)))
                .hasMessageContaining(message);
        assertThat(api.created()).isEqualTo(before);
    }

    @Test
    void unchangedNameIsAccepted() {
        // Given
        Chart.install(api, "another", Chart.smallestWith("{fullnameOverride: mail}", directory));
        Chart.install(api, Chart.valueSet("smallest"));

        // When
        Chart.upgrade(api, Chart.smallestWith("{fullnameOverride: post-oneshot, nameOverride: oneshot}", directory));

        // Then
        assertThat(api.find("Deployment", "post-oneshot-api")).isNotNull();
    }

    /** Helm reports an upgrade also if the install before failed at the migration. */
    @Test
    void keysAreGeneratedAfterAFailedInstall() {
        // Given
        Chart.install(api, Chart.valueSet("smallest"));
        api.remove("Deployment", "post-oneshot-api");
        api.remove("Secret", ADDRESS_KEYS);

        // When
        Chart.upgrade(api, Chart.valueSet("smallest"));

        // Then
        assertThat(api.find("Secret", ADDRESS_KEYS)).isNotNull();
    }

    @Test
    void settingThatChangesReplacesThePodsOfItsServiceOnly() {
        // Given
        Chart.install(api, Chart.valueSet("smallest"));
        JsonNode ingest = template("ingest");
        JsonNode service = template("api");

        // When
        Chart.upgrade(api, Chart.smallestWith("{api: {config: {ONESHOT_PLANS_FREE_BURST: 40}}}", directory));

        // Then
        assertThat(template("api")).isNotEqualTo(service);
        assertThat(template("ingest")).isEqualTo(ingest);
    }

    @Test
    void secretThatIsRotatedReplacesThePodsThatReadItAndNoOthers() {
        // Given
        Chart.install(api, Chart.valueSet("smallest"));
        JsonNode ingest = template("ingest");
        JsonNode service = template("api");
        Chart.upgrade(api, Chart.valueSet("smallest"));
        assertThat(template("api")).isEqualTo(service);
        ObjectNode secret = api.only("Secret", API_KEY_SECRETS);
        secret.withObject("/data").put("api-key-secrets", "cm90YXRlZA==");
        api.put(secret);

        // When
        Chart.upgrade(api, Chart.valueSet("smallest"));

        // Then
        assertThat(template("api")).isNotEqualTo(service);
        assertThat(template("ingest")).isEqualTo(ingest);
    }

    private JsonNode template(String service) {
        return api.only("Deployment", "post-oneshot-" + service).at("/spec/template");
    }

    private int replicas() {
        return api.only("Deployment", "post-oneshot-api").at("/spec/replicas").asInt();
    }

    private void scaleTo(int replicas) {
        ObjectNode deployment = api.only("Deployment", "post-oneshot-api");
        deployment.withObject("/spec").put("replicas", replicas);
        api.put(deployment);
    }

    private String migratesAtStart() {
        return api.only("ConfigMap", "post-oneshot-api")
                .at("/data/ONESHOT_MIGRATION_AT_START")
                .asText();
    }
}
