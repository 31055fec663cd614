package dev.oneshot.helm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.oneshot.local.stack.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A container of the chart, as Kubernetes starts it.
 *
 * @param environment as in the chart, with the values of Secrets
 * @param mounts copies of its Secrets and ConfigMaps, by mount path
 * @param workload its Deployment or Job
 */
public record Container(Map<String, String> environment, Map<String, Path> mounts, ObjectNode workload) {

    /** The module in a component's image. */
    public static final Map<String, String> MODULES = Map.of(
            "api", "api-service",
            "migration", "api-service",
            "ingest", "smtp-ingest-service",
            "mailer", "outbound-mailer-service",
            "expiry", "expiry-service");

    private static final String REFERENCE = "secret:";
    /** Where the JVM options of a pod are mounted, as the file {@code options}. */
    public static final String JVM_OPTIONS = "/etc/oneshot/jvm";

    private static final int DEFAULT_MODE = 0644;
    private static final int READ_BY_OTHERS = 04;

    /**
     * The container of a component.
     *
     * @param secrets the contents of the cluster's Secrets, by {@code name/key}
     * @param directory the folder of mounts
     */
    public static Container of(Manifests manifests, String component, Map<String, String> secrets, Path directory)
            throws IOException {
        ObjectNode workload = manifests.workload(component);
        Map<String, String> environment = new LinkedHashMap<>(manifests.environmentOf(workload));
        environment.replaceAll((name, value) ->
                value.startsWith(REFERENCE) ? secret(secrets, value.substring(REFERENCE.length())) : value);
        Map<String, Path> mounts = new TreeMap<>();
        for (JsonNode mount : Manifests.containerOf(workload).path("volumeMounts")) {
            String volume = mount.path("name").asText();
            Path outside = Files.createDirectories(directory.resolve(component).resolve(volume));
            for (JsonNode candidate : workload.at("/spec/template/spec/volumes")) {
                if (candidate.path("name").asText().equals(volume) && !candidate.has("emptyDir")) {
                    write(candidate, manifests, secrets, outside);
                    mounts.put(mount.path("mountPath").asText(), outside);
                }
            }
        }
        return new Container(environment, mounts, workload);
    }

    /** The environment for a process outside a container, with the paths of mounts there. */
    public Map<String, String> environmentOutside() {
        Map<String, String> outside = new LinkedHashMap<>(environment);
        mounts.forEach((inside, copy) -> outside.replaceAll(
                (name, value) -> value.replace(inside + "/", copy + "/").replace(inside + ":", copy + ":")));
        return outside;
    }

    /** The JVM options of its pod; empty for a Job. */
    public String jvmOptions() throws IOException {
        Path mounted = mounts.get(JVM_OPTIONS);
        return mounted == null ? "" : Files.readString(mounted.resolve("options"));
    }

    /** The limit, as in {@code 512Mi}. */
    public String memoryLimit() {
        return Manifests.containerOf(workload).at("/resources/limits/memory").textValue();
    }

    /** The addresses and ports of a process outside a container, in place of those of a pod; a management port of 0 is any. */
    public static Map<String, String> onLoopback(int management) {
        return Map.of(
                "ONESHOT_MANAGEMENT_HOST", "127.0.0.1",
                "ONESHOT_MANAGEMENT_PORT", Integer.toString(management),
                "ONESHOT_HTTP_HOST", "127.0.0.1",
                "ONESHOT_HTTP_PORT", "0",
                "ONESHOT_SMTP_HOST", "127.0.0.1",
                "ONESHOT_SMTP_PORT", "0");
    }

    /** Starts the packaged service, with further variables. */
    ChildProcess start(String component, Map<String, String> more, Path logs) throws IOException {
        Path project = Path.of("../..").toAbsolutePath().normalize();
        Path jar = project.resolve(Objects.requireNonNull(MODULES.get(component)))
                .resolve("target/quarkus-app/quarkus-run.jar");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + project.resolve("deploy/images/jvm-options")));
        Path mounted = mounts.get(JVM_OPTIONS);
        if (mounted != null) {
            command.add("@" + mounted.resolve("options"));
        }
        command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-jar", jar.toString()));
        Map<String, String> all = new HashMap<>(environmentOutside());
        all.putAll(more);
        return ChildProcess.start(component, command, all, logs, _ -> {});
    }

    private static void write(JsonNode volume, Manifests manifests, Map<String, String> secrets, Path directory)
            throws IOException {
        JsonNode configMap = volume.path("configMap");
        if (!configMap.isMissingNode()) {
            JsonNode data =
                    manifests.only("ConfigMap", configMap.path("name").asText()).path("data");
            for (Map.Entry<String, JsonNode> entry : data.properties()) {
                if (!configMap.has("items")) {
                    Files.writeString(
                            directory.resolve(entry.getKey()), entry.getValue().asText());
                }
            }
            for (JsonNode item : configMap.path("items")) {
                Files.writeString(
                        directory.resolve(item.path("path").asText()),
                        data.path(item.path("key").asText()).asText());
            }
            return;
        }
        JsonNode secret = volume.path("secret");
        String name = secret.path("secretName").asText();
        for (JsonNode item : secret.path("items")) {
            Path file = Files.writeString(
                    directory.resolve(item.path("path").asText()),
                    secret(secrets, name + "/" + item.path("key").asText()));
            // Drivers reject a key that others may read. Group access in a pod is for the pod's own user, here the
            // owner.
            boolean readByOthers = (secret.path("defaultMode").asInt(DEFAULT_MODE) & READ_BY_OTHERS) != 0;
            Files.setPosixFilePermissions(
                    file, PosixFilePermissions.fromString(readByOthers ? "r--r--r--" : "r--------"));
        }
    }

    private static String secret(Map<String, String> secrets, String reference) {
        return Objects.requireNonNull(secrets.get(reference), () -> "the cluster has no Secret " + reference);
    }
}
