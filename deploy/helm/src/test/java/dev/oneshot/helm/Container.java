package dev.oneshot.helm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.oneshot.local.stack.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The environment and Secret files that Kubernetes gives a container of the chart, for a process outside it.
 *
 * @param environment as in the chart, with the paths of mounts outside the container
 */
record Container(Map<String, String> environment) {

    /** The module in a component's image. */
    static final Map<String, String> MODULES = Map.of(
            "api", "api-service",
            "migration", "api-service",
            "ingest", "smtp-ingest-service",
            "mailer", "outbound-mailer-service",
            "expiry", "expiry-service");

    private static final String REFERENCE = "secret:";
    private static final int DEFAULT_MODE = 0644;
    private static final int READ_BY_OTHERS = 04;

    /**
     * The container of a Deployment or Job.
     *
     * @param secrets the contents of the cluster's Secrets, by {@code name/key}
     * @param directory the folder of mounts
     */
    static Container of(Manifests manifests, ObjectNode workload, Map<String, String> secrets, Path directory)
            throws IOException {
        Map<String, String> environment = new LinkedHashMap<>(manifests.environmentOf(workload));
        environment.replaceAll((name, value) ->
                value.startsWith(REFERENCE) ? secret(secrets, value.substring(REFERENCE.length())) : value);
        for (JsonNode mount : Manifests.containerOf(workload).path("volumeMounts")) {
            String volume = mount.path("name").asText();
            Path outside = directory.resolve(Manifests.componentOf(workload)).resolve(volume);
            Files.createDirectories(outside);
            for (JsonNode candidate : workload.at("/spec/template/spec/volumes")) {
                if (candidate.path("name").asText().equals(volume)) {
                    write(candidate.path("secret"), secrets, outside);
                }
            }
            String inside = mount.path("mountPath").asText();
            environment.replaceAll(
                    (name, value) -> value.replace(inside + "/", outside + "/").replace(inside + ":", outside + ":"));
        }
        return new Container(environment);
    }

    /** Starts the packaged service, with further variables. */
    ChildProcess start(String component, Map<String, String> more, Path logs) throws IOException {
        Path project = Path.of("../..").toAbsolutePath().normalize();
        Path jar = project.resolve(Objects.requireNonNull(MODULES.get(component)))
                .resolve("target/quarkus-app/quarkus-run.jar");
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + project.resolve("deploy/images/jvm-options"),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-jar",
                jar.toString());
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(more);
        return ChildProcess.start(component, command, all, logs, _ -> {});
    }

    private static void write(JsonNode volume, Map<String, String> secrets, Path directory) throws IOException {
        String name = volume.path("secretName").asText();
        for (JsonNode item : volume.path("items")) {
            Path file = Files.writeString(
                    directory.resolve(item.path("path").asText()),
                    secret(secrets, name + "/" + item.path("key").asText()));
            // Drivers reject a key that others may read. Group access in a pod is for the pod's own user, here the
            // owner.
            boolean readByOthers = (volume.path("defaultMode").asInt(DEFAULT_MODE) & READ_BY_OTHERS) != 0;
            Files.setPosixFilePermissions(
                    file, PosixFilePermissions.fromString(readByOthers ? "r--r--r--" : "r--------"));
        }
    }

    private static String secret(Map<String, String> secrets, String reference) {
        return Objects.requireNonNull(secrets.get(reference), () -> "the cluster has no Secret " + reference);
    }
}
