package dev.oneshot.images;

import dev.oneshot.local.stack.Service;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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

    private static final Path SCRIPT = Path.of("assemble").toAbsolutePath();
    private static final Path DOCKERFILE = Path.of("jvm.Dockerfile");
    private static final Pattern ENTRYPOINT = Pattern.compile("(?m)^ENTRYPOINT \\[(.*)]$");
    private static final Set<PosixFilePermission> WRITING = EnumSet.of(
            PosixFilePermission.OWNER_WRITE, PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
    private static final Pattern QUOTED = Pattern.compile("\"([^\"]*)\"");

    static Path assembleRuntime(Path directory) throws IOException, InterruptedException {
        Path runtime = directory.resolve("jre");
        run(List.of(SCRIPT.toString(), "runtime", runtime.toString()));
        return runtime;
    }

    /** The images of all services, by module. */
    static Map<String, AssembledImage> assemble(Path directory, Path runtime) throws IOException, InterruptedException {
        run(List.of(SCRIPT.toString(), "services", runtime.resolve("bin/java").toString(), directory.toString()));
        return Arrays.stream(Service.values())
                .collect(Collectors.toMap(
                        Service::module, service -> new AssembledImage(directory.resolve(service.module()), runtime)));
    }

    /** Starts it with the Dockerfile's command line; output goes to {@code log}. */
    Process start(Map<String, String> environment, Path log) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command())
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        return builder.start();
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
        try (Stream<Path> files = Files.walk(directory)) {
            files.filter(file -> !Files.isSymbolicLink(file)).forEach(AssembledImage::forbidWriting);
        }
    }

    /** The command line of a container, with the path of the runtime here. */
    private List<String> command() throws IOException {
        return entrypoint().stream()
                .map(word -> word.replace("/oneshot/jre", runtime.toString()))
                .toList();
    }

    /** The Dockerfile's entry point. */
    static List<String> entrypoint() throws IOException {
        Matcher entrypoint = ENTRYPOINT.matcher(Files.readString(DOCKERFILE));
        if (!entrypoint.find()) {
            throw new AssertionError("no ENTRYPOINT in " + DOCKERFILE);
        }
        List<String> command = new ArrayList<>();
        Matcher word = QUOTED.matcher(entrypoint.group(1));
        while (word.find()) {
            command.add(word.group(1));
        }
        return command;
    }

    private static void forbidWriting(Path file) {
        try {
            Set<PosixFilePermission> permissions = EnumSet.copyOf(Files.getPosixFilePermissions(file));
            permissions.removeAll(WRITING);
            Files.setPosixFilePermissions(file, permissions);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String describe(Path file) {
        try {
            return Files.size(file) + " " + Files.getLastModifiedTime(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        int status = builder.start().waitFor();
        if (status != 0) {
            throw new AssertionError(command + " ended with " + status);
        }
    }
}
