package dev.oneshot.images;

import dev.oneshot.helm.Container;
import dev.oneshot.local.backends.Program;
import dev.oneshot.local.stack.Service;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The contents of a service's JVM image, in a directory in place of {@code /oneshot/app}.
 *
 * @param runtime in place of {@code /oneshot/jre}, shared by all images here
 */
record AssembledImage(Path directory, Path runtime) {

    private static final Path DOCKERFILE = Path.of("jvm.Dockerfile");
    private static final Pattern ENTRYPOINT = Pattern.compile("(?m)^ENTRYPOINT \\[(.*)]$");
    private static final Pattern QUOTED = Pattern.compile("\"([^\"]*)\"");

    static Path assembleRuntime(Path directory) throws IOException {
        Path runtime = directory.resolve("jre");
        assemble("runtime", runtime.toString());
        return runtime;
    }

    /** The images of all services, by module. */
    static Map<String, AssembledImage> assemble(Path directory, Path runtime) throws IOException {
        assemble("services", runtime.resolve("bin/java").toString(), directory.toString());
        return Arrays.stream(Service.values())
                .collect(Collectors.toMap(
                        Service::module, service -> new AssembledImage(directory.resolve(service.module()), runtime)));
    }

    /**
     * The Dockerfile's command line, for a process in its own directory.
     *
     * @param jvmOptions a folder with the file of the pod's JVM options
     */
    List<String> command(Path jvmOptions) throws IOException {
        List<String> command =
                new ArrayList<>(List.of("/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", directory.toString()));
        for (String word : entrypoint()) {
            command.add(word.replace("/oneshot/jre", runtime.toString())
                    .replace(Container.JVM_OPTIONS, jvmOptions.toString()));
        }
        return command;
    }

    /** A limit as in {@code 512Mi}, as the JVM and container engines take it. */
    static String jvmSize(String limit) {
        if (!limit.endsWith("Mi")) {
            throw new AssertionError(limit + " is not in Mi");
        }
        return limit.replace("Mi", "m");
    }

    /** A copy with the times of the files, in a new folder, which may be changed. */
    AssembledImage copy(Path folder) throws IOException {
        Program.run(List.of("cp", "-a", directory.toString(), folder.toString()));
        Program.run(List.of("chmod", "-R", "u+w", folder.toString()));
        return new AssembledImage(folder, runtime);
    }

    /** Every file with its size and modification time. */
    Map<Path, String> contents() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.collect(Collectors.toMap(
                    directory::relativize, AssembledImage::describe, (one, other) -> one, TreeMap::new));
        }
    }

    /** Removes the write permissions, as a container's root file system is read-only. */
    void makeReadOnly() throws IOException {
        Program.run(List.of("chmod", "-R", "a-w", directory.toString()));
    }

    /** The Dockerfile's entry point. */
    static List<String> entrypoint() throws IOException {
        Matcher entrypoint = ENTRYPOINT.matcher(Files.readString(DOCKERFILE));
        if (!entrypoint.find()) {
            throw new AssertionError("no ENTRYPOINT in " + DOCKERFILE);
        }
        return QUOTED.matcher(entrypoint.group(1))
                .results()
                .map((MatchResult word) -> word.group(1))
                .toList();
    }

    private static String describe(Path file) {
        try {
            return Files.size(file) + " " + Files.getLastModifiedTime(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assemble(String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of("env", "JAVA_HOME=" + System.getProperty("java.home"), "TRAINING_TIMEOUT=900"));
        command.add(Path.of("assemble").toAbsolutePath().toString());
        command.addAll(List.of(arguments));
        Program.run(command);
    }
}
