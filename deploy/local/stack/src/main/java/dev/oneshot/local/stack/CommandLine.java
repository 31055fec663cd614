package dev.oneshot.local.stack;

import dev.oneshot.local.backends.LocalKafka;
import dev.oneshot.local.stack.StackSettings.Option;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.io.FileUtils;

/** The command lines of the processes of a stack. */
record CommandLine(StackSettings settings) {

    private static final String KAFKA_HEAP = "512m";

    /** Allows Kafka's use of native memory, so that the JVM logs no warnings. */
    private static final List<String> KAFKA_JVM_OPTIONS = List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:+ExitOnOutOfMemoryError",
            "-Djava.util.logging.manager=org.jboss.logmanager.LogManager");

    /** By default, the heap depends on the memory of the machine. */
    private static final List<String> SHORT_LIVED_KAFKA_JVM_OPTIONS = List.of("-XX:+UseSerialGC", "-Xms32m");

    /** The command line of a service. */
    List<String> of(Service service) {
        if (settings.has(Option.NATIVE)) {
            return List.of(service.binary(settings.project()).toString(), "-Xmx" + settings.heap(service));
        }
        Path jar = service.jar(settings.project());
        if (Files.notExists(jar)) {
            throw new StackException(service + " is not built: " + jar + " is missing");
        }
        List<String> options = new ArrayList<>(service.jvmOptions());
        options.add("@" + StackSettings.jvmOptions(settings.project()));
        List<String> command = jvm(service.label(), settings.heap(service), options, jar);
        command.addAll(List.of("-jar", jar.toString()));
        return command;
    }

    /** The command line of a broker with arguments of {@link LocalKafka#main}. */
    List<String> kafka(List<String> arguments) {
        List<String> options = new ArrayList<>(KAFKA_JVM_OPTIONS);
        if (settings.has(Option.QUICK_COMPILER)) {
            options.addAll(SHORT_LIVED_KAFKA_JVM_OPTIONS);
        }
        String classPath = kafkaClassPath();
        Path first = Path.of(classPath.split(File.pathSeparator, 2)[0]);
        List<String> command = jvm("kafka", KAFKA_HEAP, options, first);
        command.addAll(List.of("-cp", classPath, LocalKafka.class.getName()));
        command.addAll(arguments);
        return command;
    }

    /** The one of {@code ./oneshot up} if the stack is packaged. Tests have folders in theirs, for which a JVM writes no archive. */
    private static String kafkaClassPath() {
        URL location = CommandLine.class.getProtectionDomain().getCodeSource().getLocation();
        Path packaged = FileUtils.toFile(location).toPath();
        Path libraries = packaged.resolveSibling("lib");
        return Files.isRegularFile(packaged) && Files.isDirectory(libraries)
                ? packaged + File.pathSeparator + libraries.resolve("*")
                : System.getProperty("java.class.path");
    }

    /** A JVM with a cache of parsed classes from earlier starts, which halves the time to be ready. */
    private List<String> jvm(String label, String heap, List<String> options, Path classes) {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        List<String> command = new ArrayList<>(List.of(java.toString(), "-Xmx" + heap));
        command.addAll(options);
        if (settings.has(Option.QUICK_COMPILER)) {
            command.add("-XX:TieredStopAtLevel=1");
        }
        Path archive = settings.archives().resolve(label + ".jsa");
        deleteUnusable(archive, classes);
        command.addAll(List.of("-XX:+AutoCreateSharedArchive", "-XX:SharedArchiveFile=" + archive, "-Xlog:disable"));
        return command;
    }

    /**
     * Deletes an archive that is older than the classes, or that a JVM was killed while it wrote: a JVM replaces neither, and would
     * start without one.
     */
    private static void deleteUnusable(Path archive, Path classes) {
        try {
            // 0 if it is missing: another start, or the JVM that replaces it, may remove it at any moment.
            long writtenAt = archive.toFile().lastModified();
            if (writtenAt != 0 && (writtenAt < classes.toFile().lastModified() || isIncomplete(archive))) {
                Files.deleteIfExists(archive);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A JVM writes the header last. Until then there are zeros in its place. */
    private static boolean isIncomplete(Path archive) throws IOException {
        try (InputStream header = Files.newInputStream(archive)) {
            return header.read() <= 0;
        } catch (NoSuchFileException removed) {
            return false;
        }
    }
}
