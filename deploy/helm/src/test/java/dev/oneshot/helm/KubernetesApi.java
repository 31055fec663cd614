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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The part of a Kubernetes API server that Helm uses: it lists its kinds, and stores, returns and deletes objects by
 * their paths. Nothing runs: a Job is complete as soon as it is created.
 */
final class KubernetesApi implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    private static final Map<String, List<String>> KINDS = Map.ofEntries(
            Map.entry("v1", List.of("Secret", "ConfigMap", "Service", "ServiceAccount")),
            Map.entry("apps/v1", List.of("Deployment")),
            Map.entry("batch/v1", List.of("Job")),
            Map.entry("policy/v1", List.of("PodDisruptionBudget")),
            Map.entry("autoscaling/v2", List.of("HorizontalPodAutoscaler")),
            Map.entry("networking.k8s.io/v1", List.of("Ingress", "NetworkPolicy")),
            Map.entry("gateway.networking.k8s.io/v1", List.of("HTTPRoute")),
            Map.entry("keda.sh/v1alpha1", List.of("ScaledObject", "TriggerAuthentication")),
            Map.entry("kafka.strimzi.io/v1", List.of("Kafka", "KafkaNodePool", "KafkaTopic", "KafkaUser")),
            Map.entry("postgresql.cnpg.io/v1", List.of("Cluster")),
            Map.entry("cert-manager.io/v1", List.of("Certificate", "Issuer")),
            Map.entry("monitoring.coreos.com/v1", List.of("PodMonitor", "PrometheusRule")));

    private static final Map<String, String> LISTS =
            Map.of("secrets", "SecretList", "jobs", "JobList", "deployments", "DeploymentList");

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
                .filter(object -> object.path("kind").asText().equals(kind)
                        && object.at("/metadata/name").asText().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** Stores an object that Helm does not manage. */
    synchronized void put(ObjectNode object) {
        objects.replaceAll((path, present) -> present.path("kind").equals(object.path("kind"))
                        && present.at("/metadata/name").equals(object.at("/metadata/name"))
                ? object
                : present);
    }

    /** Removes an object without Helm. */
    synchronized void remove(String kind, String name) {
        objects.values()
                .removeIf(object -> object.path("kind").asText().equals(kind)
                        && object.at("/metadata/name").asText().equals(name));
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
        JsonNode discovery = discovery(path);
        if (discovery != null) {
            return discovery;
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

    private static @Nullable JsonNode discovery(String path) {
        return switch (path) {
            case "/version" ->
                JSON.createObjectNode().put("major", "1").put("minor", "33").put("gitVersion", "v1.33.0");
            case "/api" -> {
                ObjectNode versions = JSON.createObjectNode().put("kind", "APIVersions");
                versions.putArray("versions").add("v1");
                yield versions;
            }
            case "/apis" -> groups();
            default -> kinds(path.replaceFirst("^/apis?/", ""));
        };
    }

    private static JsonNode groups() {
        ObjectNode list = JSON.createObjectNode().put("kind", "APIGroupList").put("apiVersion", "v1");
        ArrayNode groups = list.putArray("groups");
        KINDS.keySet().stream().filter(version -> version.contains("/")).forEach(version -> {
            String[] parts = version.split("/", 2);
            ObjectNode group = groups.addObject().put("name", parts[0]);
            Stream.of(group.putArray("versions").addObject(), group.putObject("preferredVersion"))
                    .forEach(node -> node.put("groupVersion", version).put("version", parts[1]));
        });
        return list;
    }

    private static @Nullable JsonNode kinds(String version) {
        List<String> kinds = KINDS.get(version);
        if (kinds == null) {
            return null;
        }
        ObjectNode list = JSON.createObjectNode().put("kind", "APIResourceList").put("groupVersion", version);
        ArrayNode resources = list.putArray("resources");
        kinds.forEach(kind -> resources
                .addObject()
                .put("name", plural(kind))
                .put("singularName", "")
                .put("namespaced", true)
                .put("kind", kind)
                .putArray("verbs")
                .add("get"));
        return list;
    }

    private static String plural(String kind) {
        String lower = kind.toLowerCase(Locale.ROOT);
        if (lower.endsWith("y")) {
            return lower.substring(0, lower.length() - 1) + "ies";
        }
        return lower.endsWith("ss") ? lower + "es" : lower.endsWith("s") ? lower : lower + "s";
    }
}
