package dev.oneshot.api.openapi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.oneshot.api.RawHttp;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** A served OpenAPI document, and its description of a response. */
final class ServedDescription {

    private static final String ID = "https://oneshot.example/openapi";
    private static final String ERROR = "/components/schemas/Error";

    private final JsonNode document;
    private final String server;
    private final SchemaRegistry registry;
    private final Map<String, Schema> schemas = new ConcurrentHashMap<>();

    private ServedDescription(String json) {
        try {
            this.document = new ObjectMapper().readTree(json);
        } catch (JsonProcessingException e) {
            throw new AssertionError("the served description is not JSON", e);
        }
        this.server = document.at("/servers/0/url").asText().replace("{base}", "");
        this.registry = SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12, builder -> builder.schemas(Map.of(ID, json)));
    }

    /** The description of the public API. */
    static ServedDescription published() {
        return new ServedDescription(
                RawHttp.send("GET", "/openapi?format=json").has(200).text());
    }

    /** The description of the operator API, on the management port. */
    static ServedDescription operators() {
        return new ServedDescription(RawHttp.operate("GET", "openapi", BodyPublishers.noBody())
                .has(200)
                .text());
    }

    JsonNode document() {
        return document;
    }

    /** The differences between a response and its description. */
    List<String> complaints(String method, String path, int status, String contentType, String body) {
        if (method.equals("HEAD") || method.equals("OPTIONS")) {
            // They follow from other methods (RFC 9110 §9.3.2, §9.3.7), and have no bodies.
            return List.of();
        }
        Optional<String> operation = operation(method, path);
        if (operation.isEmpty()) {
            // A path without description must be missing.
            return status >= 400 ? violations(ERROR, body) : List.of(status + " to a request that is not described");
        }
        String responses = operation.get() + "/responses/";
        String key = document.at(responses + status).isMissingNode() ? "default" : String.valueOf(status);
        if (document.at(responses + key).isMissingNode()) {
            return List.of(status + " is not described");
        }
        String response = resolved(responses + key);
        JsonNode content = document.at(response + "/content");
        if (content.isMissingNode()) {
            return body.isEmpty() ? List.of() : List.of(status + " has a body, which is not described");
        }
        String mediaType = contentType.split(";", 2)[0];
        if (!mediaType.equals("application/json")) {
            boolean described = content.has(mediaType) || content.has("*/*");
            return described ? List.of() : List.of(status + " as " + mediaType + " is not described");
        }
        if (!content.has(mediaType)) {
            return content.has("*/*") ? List.of() : List.of(status + " as JSON is not described");
        }
        return violations(response + "/content/application~1json/schema", body);
    }

    private String resolved(String pointer) {
        JsonNode reference = document.at(pointer + "/$ref");
        return reference.isMissingNode() ? pointer : reference.asText().substring(1);
    }

    private Optional<String> operation(String method, String path) {
        JsonNode paths = document.path("paths");
        for (Map.Entry<String, JsonNode> template : paths.properties()) {
            String pattern = server
                    + Pattern.compile("\\{[^}]+}").matcher(template.getKey()).replaceAll("[^/]+");
            String verb = method.toLowerCase(Locale.ROOT);
            if (path.matches(pattern) && template.getValue().has(verb)) {
                return Optional.of(
                        "/paths/" + template.getKey().replace("~", "~0").replace("/", "~1") + "/" + verb);
            }
        }
        return Optional.empty();
    }

    /** The examples in the document that do not match their schemas. */
    List<String> complaintsAboutExamples() {
        List<String> complaints = new ArrayList<>();
        addComplaintsAboutExamples("", document, complaints);
        return complaints;
    }

    private void addComplaintsAboutExamples(String pointer, JsonNode node, List<String> complaints) {
        if (node.has("schema") && node.has("examples")) {
            node.path("examples")
                    .forEach(example -> violations(
                                    pointer + "/schema", example.path("value").toString())
                            .forEach(violation -> complaints.add(pointer + " " + violation)));
        }
        node.properties()
                .forEach(member -> addComplaintsAboutExamples(
                        pointer + "/" + member.getKey().replace("~", "~0").replace("/", "~1"),
                        member.getValue(),
                        complaints));
    }

    private List<String> violations(String pointer, String body) {
        Schema schema = schemas.computeIfAbsent(
                pointer,
                place -> registry.getSchema(
                        SchemaLocation.of(ID + "#" + place.replace("{", "%7B").replace("}", "%7D"))));
        List<String> violations = new ArrayList<>();
        for (Error error : schema.validate(body, InputFormat.JSON)) {
            violations.add(error.getInstanceLocation() + " " + error.getMessage());
        }
        return violations;
    }
}
