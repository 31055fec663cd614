package dev.oneshot.images;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.oneshot.helm.Container;
import dev.oneshot.local.backends.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
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

    /** Limits that this process may set. */
    private static final List<String> LIMITS = List.of("--ulimit=nofile=4096:4096", "--ulimit=nproc=4096:4096");

    /** What a pod has: a read-only root and no rights. */
    static final List<String> POD = List.of(
            "--network=host",
            "--read-only",
            "--tmpfs=/tmp",
            "--cap-drop=all",
            "--security-opt=no-new-privileges",
            "--security-opt=label=disable");

    static final String VERSION = "1.2.3";
    static final String REVISION = "0123456789abcdef0123456789abcdef01234567";

    private static final List<String> VERSIONS =
            List.of("--build-arg=VERSION=" + VERSION, "--build-arg=REVISION=" + REVISION);

    private static final Path TRUE = Path.of("/usr/bin/true");

    /** The programs that the image of the whole stack and its Dockerfile run. */
    private static final List<String> PROGRAMS_OF_STACK =
            List.of("/bin/sh", "/bin/bash", "/usr/bin/cat", "/usr/bin/id", "/usr/bin/rm", "/usr/bin/sleep");

    private static final Pattern FIRST_START = Pattern.compile("(?s)# Starts it once: .*?(?=EXPOSE )");

    private static final String LAST_STAGE = "FROM ${RUNTIME_BASE}\n";

    /** The files of glibc that a program or library needs. */
    private static final Pattern GLIBC =
            Pattern.compile("(/\\S*/(?:ld-linux[-\\w]*|libc|libm|libdl|libpthread|librt)\\.so\\.\\d)\\b");

    private static final Pattern LIBRARY = Pattern.compile("(/\\S+\\.so[.\\d]*)");

    /** The libraries of this machine that PostgreSQL's programs need. */
    private static final Pattern OF_POSTGRES =
            Pattern.compile("=> (/\\S*/lib(?:stdc\\+\\+|gcc_s|m|dl|pthread|rt)\\.so\\.\\d)\\n");

    /**
     * An engine that builds images and runs containers on this machine.
     *
     * @param context a new folder
     * @param tested what is not tested if no engine works, for the output
     * @param options of the command {@code run}
     */
    static Optional<ContainerEngine> find(Path context, String tested, List<String> options) throws IOException {
        Files.createDirectories(context);
        String command = "[\"" + TRUE + "\"]\n";
        Files.writeString(
                context.resolve("Dockerfile"), "FROM scratch\nCOPY base /\nRUN " + command + "ENTRYPOINT " + command);
        copyWithLibraries(TRUE.toString(), context);
        String tag = "oneshot-image-test-true";
        List<String> unusable = new ArrayList<>();
        for (List<String> program : PROGRAMS) {
            ContainerEngine engine = new ContainerEngine(program);
            try {
                engine.build(tag, context, List.of());
                engine.call(
                        "run",
                        Stream.of(List.of("--rm", "--memory=64m"), LIMITS, options, List.of(tag))
                                .flatMap(List::stream)
                                .toList());
                engine.remove(tag);
                return Optional.of(engine);
            } catch (IOException | IllegalStateException e) {
                unusable.add(String.valueOf(e.getMessage()).strip());
            }
        }
        System.out.println("oneshot: ########## NOT TESTED: " + tested + ": "
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
        writeLastStage(Path.of("jvm.Dockerfile"), context, UnaryOperator.identity());
        List<String> options = new ArrayList<>(VERSIONS);
        options.add("--build-arg=SERVICE=" + contents.directory().getFileName());
        build(tag, context, options);
    }

    /**
     * Builds the image of the whole stack with the last stage of its Dockerfile, on a base of a few programs of this machine.
     * Leaves out the Dockerfile's first start: it halves the time to be ready, but takes longer than the rest of the build and
     * the test.
     *
     * @param context a folder with the assembled contents in {@code oneshot}
     */
    void buildStack(String tag, Path context) throws IOException {
        for (String program : PROGRAMS_OF_STACK) {
            copyWithLibraries(program, context);
        }
        for (String library : matches(OF_POSTGRES, Program.run(List.of("/sbin/ldconfig", "-p")))) {
            copy(library, context);
        }
        Files.createDirectories(context.resolve("base/etc"));
        Path temporary = Files.createDirectories(context.resolve("base/tmp"));
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxrwxrwx"));
        writeLastStage(
                Path.of("dev/Dockerfile"),
                context,
                text -> FIRST_START.matcher(text).replaceFirst(""));
        // Podman's own format has no health checks, and its cache of layers would grow with each run.
        boolean isPodman = program.getFirst().equals("podman");
        List<String> options = new ArrayList<>(VERSIONS);
        options.addAll(isPodman ? List.of("--format=docker", "--layers=false") : List.of());
        build(tag, context, options);
    }

    private static void writeLastStage(Path dockerfile, Path context, UnaryOperator<String> change) throws IOException {
        String text = Files.readString(dockerfile);
        String lastStage = change.apply(text.substring(text.indexOf(LAST_STAGE) + LAST_STAGE.length()));
        Files.writeString(
                context.resolve("Dockerfile"),
                "FROM scratch\nCOPY base /\n" + lastStage.replace("COPY --from=build ", "COPY "));
    }

    private void build(String tag, Path context, List<String> options) throws IOException {
        List<String> arguments = new ArrayList<>(options);
        arguments.addAll(List.of("--network=none", "--tag=" + tag, context.toString()));
        call("build", arguments);
    }

    /** The engine's description of an image, with labels and layers. */
    JsonNode inspect(String tag) throws IOException {
        return new ObjectMapper()
                .readTree(call("image", List.of("inspect", tag)))
                .path(0);
    }

    /**
     * Starts a container in the background.
     *
     * @param options those given to {@link #find}
     */
    void start(String name, String tag, List<String> options) throws IOException {
        call(
                "run",
                Stream.of(List.of("--detach", "--name=" + name), LIMITS, options, List.of(tag))
                        .flatMap(List::stream)
                        .toList());
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
        command.addAll(List.of("run", "--rm"));
        command.addAll(LIMITS);
        command.addAll(POD);
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

    /**
     * Runs a command of the engine.
     *
     * @throws IllegalStateException with its output, if it fails
     */
    String call(String command, List<String> arguments) throws IOException {
        List<String> whole = new ArrayList<>(program);
        whole.add(command);
        whole.addAll(arguments);
        return Program.run(whole);
    }

    private static Set<String> glibc(Path file) throws IOException {
        return matches(GLIBC, Program.run(List.of("ldd", file.toString())));
    }

    private static Set<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static void copyWithLibraries(String file, Path context) throws IOException {
        copy(file, context);
        for (String library : matches(LIBRARY, Program.run(List.of("ldd", file)))) {
            copy(library, context);
        }
    }

    /** Copies a file into the base, unless it is there. */
    private static void copy(String file, Path context) throws IOException {
        Path copy = context.resolve("base" + file);
        Files.createDirectories(copy.getParent());
        Files.copy(Path.of(file), copy, StandardCopyOption.REPLACE_EXISTING);
    }
}
