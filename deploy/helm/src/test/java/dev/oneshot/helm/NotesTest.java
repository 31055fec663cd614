package dev.oneshot.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Everything that the notes of an installation name exists. */
class NotesTest {

    private static final Pattern NAMESPACE = Pattern.compile("kubectl -n (\\S+)");
    private static final Pattern FORWARDED = Pattern.compile("port-forward (deployment|service)/(\\S+) (\\d+)");
    private static final Pattern LOCAL = Pattern.compile("http://127\\.0\\.0\\.1:(\\d+)(/\\S+)");
    private static final Pattern SERVICE = Pattern.compile("get service (\\S+)");
    private static final Pattern SECRET = Pattern.compile("get secret (\\S+) -o jsonpath='\\{\\.data\\.(.+?)}'");

    @ParameterizedTest
    @MethodSource("dev.oneshot.helm.Chart#valueSets")
    void whatTheNotesNameIsThere(Path values) throws IOException {
        // When
        Installation installed = install(values);

        // Then
        assertThat(found(NAMESPACE, installed.notes())).isNotEmpty().containsOnly(Chart.NAMESPACE);
        assertThat(found(SERVICE, installed.notes())).containsExactly("post-oneshot-smtp");
        assertThat(installed
                        .manifests()
                        .only("Service", "post-oneshot-smtp")
                        .at("/spec/ports/0/targetPort")
                        .asText())
                .isEqualTo("smtp");
        assertThat(installed.notes())
                .contains("-l app.kubernetes.io/instance=" + Chart.RELEASE)
                .contains(Yaml.read(values).path("receiveDomain").asText() + ".  MX");
        List<String> forwarded = new ArrayList<>();
        FORWARDED.matcher(installed.notes()).results().forEach((MatchResult forward) -> {
            String kind = forward.group(1).equals("service") ? "Service" : "Deployment";
            assertThat(ports(installed.manifests().only(kind, forward.group(2))))
                    .contains(forward.group(3));
            forwarded.add(forward.group(3));
        });
        assertThat(forwarded).isNotEmpty().containsAll(found(LOCAL, installed.notes()));
    }

    @ParameterizedTest
    @CsvSource({
        "smallest, post-oneshot-operator-token/operator-token",
        "own-servers, oneshot-operator/operator-token",
        "operators, post-oneshot-operator-token/operator-token"
    })
    void operatorTokenIsReadFromTheSecretThatTheServiceHasItFrom(String set, String secret) throws IOException {
        Installation installed = install(Chart.valueSet(set));

        assertThat(secrets(installed.notes())).first().isEqualTo(secret);
        assertThat(installed.manifests().environmentOf(installed.manifests().only("Deployment", "post-oneshot-api")))
                .containsEntry("ONESHOT_OPERATOR_TOKEN", "secret:" + secret);
    }

    @Test
    void keyWithADotIsReadAsOne(@TempDir Path directory) throws IOException {
        Installation installed = install(Chart.smallestWith(
                "{secrets: {operatorToken: {existingSecret: operator, key: token.txt}}}", directory));

        assertThat(secrets(installed.notes())).containsExactly("operator/token.txt");
    }

    @Test
    void dkimKeyIsReadFromTheSecretThatCertManagerWrites() throws IOException {
        Installation installed = install(Chart.valueSet("operators"));

        assertThat(secrets(installed.notes())).last().isEqualTo("post-oneshot-dkim/tls.crt");
        assertThat(installed
                        .manifests()
                        .only("Certificate", "post-oneshot-dkim")
                        .at("/spec/secretName")
                        .asText())
                .isEqualTo("post-oneshot-dkim");
        assertThat(installed.notes()).contains("oneshot._domainkey.out.example.org");
    }

    @ParameterizedTest
    @CsvSource({
        "own-servers, https://api.example.com/v1/addresses",
        "operators, https://api.example.org/v1/addresses",
        "smallest, http://127.0.0.1:8080/v1/addresses"
    })
    void firstRequestGoesWhereRestIsPublished(String set, String url) throws IOException {
        String notes = install(Chart.valueSet(set)).notes();

        assertThat(notes).contains(" " + url + "\n");
        assertThat(notes.contains("The REST API is not reachable from outside the cluster"))
                .isEqualTo(set.equals("smallest"));
    }

    private record Installation(String notes, Manifests manifests) {}

    private static Installation install(Path values) throws IOException {
        try (KubernetesApi api = new KubernetesApi()) {
            String output = Chart.install(api, values);
            return new Installation(output.substring(output.indexOf("is installed as")), new Manifests(api.created()));
        }
    }

    private static List<String> found(Pattern pattern, String notes) {
        return pattern.matcher(notes).results().map(match -> match.group(1)).toList();
    }

    private static List<String> secrets(String notes) {
        return SECRET.matcher(notes)
                .results()
                .map(match -> match.group(1) + "/" + match.group(2).replace("\\.", "."))
                .toList();
    }

    /** The ports of a Service, or of the pods of a Deployment. */
    private static List<String> ports(ObjectNode object) {
        Stream<JsonNode> ports = object.path("kind").asText().equals("Service")
                ? Manifests.each(object.at("/spec/ports")).map(port -> port.path("port"))
                : Manifests.each(Manifests.containerOf(object).path("ports")).map(port -> port.path("containerPort"));
        return ports.map(JsonNode::asText).toList();
    }
}
