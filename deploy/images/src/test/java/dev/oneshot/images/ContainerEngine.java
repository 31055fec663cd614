package dev.oneshot.images;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.oneshot.helm.Container;
import dev.oneshot.local.backends.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Podman or Docker.
 *
 * @param program the command and its global options
 */
record ContainerEngine(List<String> program) {

    /** runc runs where crun rejects the machine's control groups. */
    private static final List<List<String>> PROGRAMS =
            List.of(List.of("podman"), List.of("podman", "--runtime=runc"), List.of("docker"));

    /** What a pod has: a read-only root, no rights, and limits that this process may set. */
    private static final List<String> OPTIONS = List.of(
            "--rm",
            "--network=host",
            "--read-only",
            "--tmpfs=/tmp",
            "--cap-drop=all",
            "--security-opt=no-new-privileges",
            "--security-opt=label=disable",
            "--ulimit=nofile=4096:4096",
            "--ulimit=nproc=4096:4096");

    static final String VERSION = "1.2.3";
    static final String REVISION = "0123456789abcdef0123456789abcdef01234567";

    private static final Path TRUE = Path.of("/usr/bin/true");

    private static final String LAST_STAGE = "FROM ${RUNTIME_BASE}\n";

    /** The files of glibc that a program or library needs. */
    private static final Pattern GLIBC =
            Pattern.compile("(/\\S*/(?:ld-linux[-\\w]*|libc|libm|libdl|libpthread|librt)\\.so\\.\\d)\\b");

    /**
     * An engine that runs containers on this machine.
     *
     * @param context a new folder
     */
    static Optional<ContainerEngine> find(Path context) throws IOException {
        Files.createDirectories(context);
        Files.writeString(context.resolve("Dockerfile"), "FROM scratch\nCOPY base /\nENTRYPOINT [\"" + TRUE + "\"]\n");
        copy(TRUE.toString(), context);
        for (String library : glibc(TRUE)) {
            copy(library, context);
        }
        String tag = "oneshot-image-test-true";
        List<String> unusable = new ArrayList<>();
        for (List<String> program : PROGRAMS) {
            ContainerEngine engine = new ContainerEngine(program);
            try {
                engine.call("build", List.of("--tag=" + tag, context.toString()));
                engine.call(
                        "run",
                        Stream.concat(OPTIONS.stream(), Stream.of("--memory=64m", tag))
                                .toList());
                engine.remove(tag);
                return Optional.of(engine);
            } catch (IOException | IllegalStateException e) {
                unusable.add(String.valueOf(e.getMessage()).strip());
            }
        }
        System.out.println("oneshot: ########## NOT TESTED: the images of the services as containers: "
                + String.join("; ", unusable).replaceAll("\\s+", " ") + " ##########");
        return Optional.empty();
    }

    /**
     * Builds an image from assembled contents with the last stage of the Dockerfile, on a base of glibc alone.
     *
     * @param context a new folder on the same file system as the contents
     */
    void build(String tag, AssembledImage contents, Path context) throws IOException {
        Files.createDirectories(context.resolve("oneshot"));
        Files.createDirectories(context.resolve("deploy/images"));
        // Links keep the times of the files, for which the cache is valid.
        Program.run(List.of(
                "cp",
                "-al",
                contents.runtime().toString(),
                context.resolve("oneshot/jre").toString()));
        Program.run(List.of(
                "cp",
                "-al",
                contents.directory().toString(),
                context.resolve("oneshot/app").toString()));
        Files.copy(Path.of("pod-options"), context.resolve("deploy/images/pod-options"));
        for (String file : List.of("bin/java", "lib/server/libjvm.so", "lib/libnio.so")) {
            for (String library : glibc(contents.runtime().resolve(file))) {
                copy(library, context);
            }
        }
        String dockerfile = Files.readString(Path.of("jvm.Dockerfile"));
        String lastStage = dockerfile.substring(dockerfile.indexOf(LAST_STAGE) + LAST_STAGE.length());
        Files.writeString(
                context.resolve("Dockerfile"),
                "FROM scratch\nCOPY base /\n" + lastStage.replace("COPY --from=build ", "COPY "));
        call(
                "build",
                List.of(
                        "--build-arg=SERVICE=" + contents.directory().getFileName(),
                        "--build-arg=VERSION=" + VERSION,
                        "--build-arg=REVISION=" + REVISION,
                        "--tag=" + tag,
                        context.toString()));
    }

    /** The engine's description of an image, with labels and layers. */
    JsonNode inspect(String tag) throws IOException {
        return new ObjectMapper()
                .readTree(call("image", List.of("inspect", tag)))
                .path(0);
    }

    void remove(String tag) throws IOException {
        call("rmi", List.of("--force", tag));
    }

    /**
     * The command that runs a container of the chart in the network of this machine.
     *
     * @param jvmOptions a folder with the file of the pod's JVM options
     * @param more further variables
     */
    List<String> run(String tag, Container container, Path jvmOptions, Map<String, String> more) {
        JsonNode security = container.workload().at("/spec/template/spec/securityContext");
        String limit = AssembledImage.jvmSize(container.memoryLimit());
        List<String> command = new ArrayList<>(program);
        command.add("run");
        command.addAll(OPTIONS);
        command.add("--user=" + security.path("runAsUser").asInt() + ":"
                + security.path("runAsGroup").asInt());
        command.addAll(List.of("--memory=" + limit, "--memory-swap=" + limit));
        container.environment().forEach((name, value) -> command.add("--env=" + name + "=" + value));
        more.forEach((name, value) -> command.add("--env=" + name + "=" + value));
        container.mounts().forEach((inside, outside) -> {
            if (!inside.equals(Container.JVM_OPTIONS)) {
                command.add("--volume=" + outside + ":" + inside + ":ro");
            }
        });
        command.add("--volume=" + jvmOptions + ":" + Container.JVM_OPTIONS + ":ro");
        command.add(tag);
        return command;
    }

    private String call(String command, List<String> arguments) throws IOException {
        List<String> whole = new ArrayList<>(program);
        whole.add(command);
        whole.addAll(arguments);
        return Program.run(whole);
    }

    private static Set<String> glibc(Path file) throws IOException {
        return GLIBC.matcher(Program.run(List.of("ldd", file.toString())))
                .results()
                .map((MatchResult library) -> library.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Copies a file into the base, unless it is there. */
    private static void copy(String file, Path context) throws IOException {
        Path copy = context.resolve("base" + file);
        Files.createDirectories(copy.getParent());
        Files.copy(Path.of(file), copy, StandardCopyOption.REPLACE_EXISTING);
    }
}
