package dev.oneshot.helm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The part of a Kubernetes API server that Helm uses: it lists its kinds, and stores, returns and deletes objects by
 * their paths. Nothing runs: a Job is complete, and a Pod has succeeded, as soon as it is created.
 */
final class KubernetesApi implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** The kinds that it lists, by path. */
    private static final ObjectNode DISCOVERY = Yaml.read(Path.of("../helm/src/test/resources/discovery.yaml"));

    private static final Map<String, String> LISTS =
            Map.of("secrets", "SecretList", "jobs", "JobList", "deployments", "DeploymentList", "pods", "PodList");

    private static final Pattern LABEL_SELECTOR = Pattern.compile("labelSelector=([^&]*)");
    private static final Pattern LABEL = Pattern.compile("([-./a-zA-Z0-9]+)=([-._a-zA-Z0-9]+)");

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, ObjectNode> objects = new TreeMap<>();
    private final List<ObjectNode> created = new ArrayList<>();

    KubernetesApi() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::respond);
        server.start();
        // Every cluster has it.
        objects.put(
                "/api/v1/namespaces/default",
                Yaml.parse("{apiVersion: v1, kind: Namespace, metadata: {name: default}}"));
    }

    /** A kubeconfig for this server. */
    String kubeConfig() {
        return """
                apiVersion: v1
                kind: Config
                clusters: [{name: it, cluster: {server: "http://127.0.0.1:%d"}}]
                users: [{name: it, user: {}}]
                contexts: [{name: it, context: {cluster: it, user: it}}]
                current-context: it
                """.formatted(server.getAddress().getPort());
    }

    /** All objects created so far, in order, with hooks and without Helm's own records. */
    synchronized List<ObjectNode> created() {
        return created.stream()
                .filter(object -> !object.path("type").asText().startsWith("helm.sh/"))
                .map(ObjectNode::deepCopy)
                .toList();
    }

    /** The current object of that kind and name. */
    synchronized @Nullable ObjectNode find(String kind, String name) {
        return objects.values().stream()
                .filter(object -> Manifests.titleOf(object).equals(kind + " " + name))
                .findFirst()
                .orElse(null);
    }

    /** A copy of the current object of that kind and name, which must exist. */
    ObjectNode only(String kind, String name) {
        return Objects.requireNonNull(find(kind, name), () -> "no " + kind + " " + name)
                .deepCopy();
    }

    /** Stores an object that Helm does not manage. */
    synchronized void put(ObjectNode object) {
        String title = Manifests.titleOf(object);
        objects.replaceAll((_, present) -> Manifests.titleOf(present).equals(title) ? object : present);
    }

    /** Removes an object without Helm. */
    synchronized void remove(String kind, String name) {
        objects.values().removeIf(object -> Manifests.titleOf(object).equals(kind + " " + name));
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }

    private void respond(HttpExchange exchange) throws IOException {
        try (exchange;
                InputStream body = exchange.getRequestBody()) {
            String path = exchange.getRequestURI().getPath();
            byte[] request = body.readAllBytes();
            if (path.equals("/openapi/v2")) {
                // An empty schema document, in protobuf: Helm validates nothing, and the tests validate more
                // strictly.
                exchange.sendResponseHeaders(200, -1);
                return;
            }
            JsonNode response = switch (exchange.getRequestMethod()) {
                case "GET" -> get(path, String.valueOf(exchange.getRequestURI().getQuery()));
                case "POST" -> post(path, request);
                case "PUT", "PATCH" -> change(path, request);
                case "DELETE" -> delete(path);
                default -> null;
            };
            byte[] octets = JSON.writeValueAsBytes(response == null ? notFound() : response);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(response == null ? 404 : 200, octets.length);
            exchange.getResponseBody().write(octets);
        }
    }

    private synchronized @Nullable JsonNode get(String path, String query) {
        if (DISCOVERY.has(path)) {
            return DISCOVERY.get(path);
        }
        String kind = LISTS.get(path.substring(path.lastIndexOf('/') + 1));
        if (kind != null) {
            return list(path, query, kind);
        }
        return objects.get(path);
    }

    private JsonNode list(String path, String query, String kind) {
        ObjectNode list = JSON.createObjectNode().put("kind", kind);
        String version = path.replaceFirst("^/apis?/", "").replaceFirst("/namespaces/.*", "");
        list.put("apiVersion", version).putObject("metadata").put("resourceVersion", "1");
        ArrayNode items = list.putArray("items");
        objects.forEach((key, object) -> {
            boolean named = !query.contains("metadata.name=")
                    || query.contains(
                            "metadata.name=" + object.at("/metadata/name").asText());
            if (key.startsWith(path + "/") && named && isLabelled(object, query)) {
                items.add(object);
            }
        });
        return list;
    }

    /** Helm finds its records by {@code name=…,owner=helm,status in (…)}; only equations are compared. */
    private static boolean isLabelled(ObjectNode object, String query) {
        Matcher selector = LABEL_SELECTOR.matcher(query);
        return !selector.find()
                || LABEL.matcher(selector.group(1))
                        .results()
                        .allMatch(label -> object.path("metadata")
                                .path("labels")
                                .path(label.group(1))
                                .asText()
                                .equals(label.group(2)));
    }

    private synchronized JsonNode post(String path, byte[] request) throws IOException {
        ObjectNode object = read(request);
        created.add(object.deepCopy());
        if (object.path("kind").asText().equals("Job")) {
            object.putObject("status")
                    .putArray("conditions")
                    .addObject()
                    .put("type", "Complete")
                    .put("status", "True");
        } else if (object.path("kind").asText().equals("Pod")) {
            object.putObject("status").put("phase", "Succeeded");
        }
        objects.put(path + "/" + object.at("/metadata/name").asText(), object);
        return object;
    }

    private synchronized @Nullable JsonNode change(String path, byte[] request) throws IOException {
        ObjectNode present = objects.get(path);
        if (present != null) {
            Yaml.merge(present, read(request));
        }
        return present;
    }

    private synchronized @Nullable JsonNode delete(String path) {
        return objects.remove(path);
    }

    private static ObjectNode read(byte[] request) throws IOException {
        return ProtobufSecret.isProtobuf(request)
                ? ProtobufSecret.toJson(request)
                : (ObjectNode) JSON.readTree(request);
    }

    private static JsonNode notFound() {
        return JSON.createObjectNode()
                .put("kind", "Status")
                .put("apiVersion", "v1")
                .put("status", "Failure")
                .put("reason", "NotFound")
                .put("code", 404);
    }
}
