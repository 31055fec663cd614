package dev.oneshot.fuzz;

import com.code_intelligence.jazzer.Jazzer;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Jazzer on one target, in a JVM of its own: it instruments what it loads and ends the process it runs in.
 *
 * <p>Inputs that reached new code are kept in {@code corpus} and begin the next run, findings in {@code findings}.
 */
final class FuzzRun {

    private static final int INPUT_SECONDS_MAX = 10;

    private final Path directory;
    private final String label;
    private final List<String> command = new ArrayList<>();

    /**
     * A run on the class whose {@code fuzzerTestOneInput} tries an input.
     *
     * @param directory what the run keeps; created, or taken up again
     */
    FuzzRun(Path directory, String label, Class<?> entry) {
        this.directory = directory;
        this.label = label;
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:+EnableDynamicAgentLoading",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                classPath(),
                Jazzer.class.getName(),
                "--target_class=" + entry.getName(),
                "--instrumentation_includes=dev.oneshot.**",
                "--reproducer_path=" + directory,
                "-timeout=" + INPUT_SECONDS_MAX,
                // The heap is bounded by the JVM, which says where it ran out.
                "-rss_limit_mb=0",
                "-print_final_stats=1",
                "-artifact_prefix=" + findings() + "/"));
    }

    /** A run on a target, with its seeds and its words. */
    static FuzzRun on(Target target, Path project, Path directory) throws IOException {
        FuzzRun run = new FuzzRun(directory, target.label(), target.entry());
        run.command.add("-max_len=" + target.inputBytesMax());
        run.words(target.label() + ".dict");
        Path seeds = Files.createDirectories(directory.resolve("seeds"));
        int number = 0;
        for (Path file : new Seeds(project).files(target)) {
            Files.write(seeds.resolve("%04d".formatted(number++)), Seeds.input(target, file));
        }
        return run;
    }

    /** For so long at most. */
    FuzzRun during(Duration duration) {
        command.add("-max_total_time=" + duration.toSeconds());
        return this;
    }

    /** The same inputs each time, as far as the code is the same, and so many at most. */
    FuzzRun repeatably(int inputs) {
        command.add(1, "-XX:TieredStopAtLevel=1"); // A short run is over before the second compiler has paid off.
        command.add("-seed=1");
        command.add("-runs=" + inputs);
        return this;
    }

    /** Where an input that broke a law is kept. */
    Path findings() {
        return directory.resolve("findings");
    }

    /** Runs until it finds something or its bounds are reached, and says whether it found nothing. */
    boolean findsNothing(ProcessBuilder.Redirect output) throws IOException, InterruptedException {
        Path corpus = Files.createDirectories(directory.resolve("corpus"));
        Path seeds = Files.createDirectories(directory.resolve("seeds"));
        Files.createDirectories(findings());
        List<String> arguments = new ArrayList<>(command);
        arguments.add(corpus.toString());
        arguments.add(seeds.toString());
        Process jazzer = new ProcessBuilder(arguments)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output)
                .start();
        try {
            int status = jazzer.waitFor();
            if (status != 0 && found().isEmpty()) {
                throw new IllegalStateException("the fuzzer ended with status " + status + " without a finding");
            }
            return status == 0;
        } finally {
            jazzer.destroyForcibly();
        }
    }

    /** What was found by this run and those before. */
    List<Path> found() {
        if (Files.notExists(findings())) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(findings())) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the findings on " + label, e);
        }
    }

    /** Ours, for a process that works in another directory. */
    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** What the target looks for: the fuzzer tries these words beside octets. */
    private void words(String resource) throws IOException {
        Path dictionary = Files.createDirectories(directory).resolve(resource);
        try (InputStream words = FuzzRun.class.getResourceAsStream(resource)) {
            if (words == null) {
                throw new IllegalStateException(resource + " is missing");
            }
            Files.copy(words, dictionary, StandardCopyOption.REPLACE_EXISTING);
        }
        command.add("-dict=" + dictionary);
    }
}
