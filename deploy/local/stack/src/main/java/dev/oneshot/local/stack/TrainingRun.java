package dev.oneshot.local.stack;

import dev.oneshot.local.backends.TemporaryBackends;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Records the AOT caches of images in a whole stack with real work, so that the caches also have classes that are
 * loaded only with a database, a broker, a mail or a client, and the profiles of methods that are hot under load (JEP 515).
 *
 * <p>Called by {@code deploy/images/assemble}.
 */
public final class TrainingRun {

    private static final int JOURNEYS = 25;
    /** Enough that the compilers have seen what is hot. */
    private static final Duration UNDER_LOAD = Duration.ofSeconds(10);

    private static final Duration RECORDING_TIMEOUT = Duration.ofMinutes(5);
    private static final String CACHE = "app.aot";

    /** Runs in the directory, as in an image. */
    private static final String THERE = "cd \"$0\" && ";

    /** Migrations are rare, so their classes are not in the cache, where they would take memory for good. */
    private static final String MIGRATED_BEFORE =
            "ONESHOT_MIGRATION_ONLY=true \"$1\" @jvm-options -jar quarkus-run.jar && ";

    private final Path project;
    private final Path java;
    private final Map<Service, Path> contents;

    private TrainingRun(Path project, Path java, Map<Service, Path> contents) {
        this.project = project;
        this.java = java;
        this.contents = contents;
    }

    /**
     * Records the caches.
     *
     * @param arguments the root of the source tree, the {@code java} of the images, and for each service its module,
     *     a {@code =}, and its directory
     */
    public static void main(String[] arguments) throws Exception {
        Map<Service, Path> contents = new EnumMap<>(Service.class);
        for (String argument : Arrays.asList(arguments).subList(2, arguments.length)) {
            int equals = argument.indexOf('=');
            contents.put(Service.ofModule(argument.substring(0, equals)), Path.of(argument.substring(equals + 1)));
        }
        new TrainingRun(Path.of(arguments[0]).toAbsolutePath().normalize(), Path.of(arguments[1]), contents).record();
        System.exit(0);
    }

    private void record() throws IOException, InterruptedException {
        Path state = Files.createTempDirectory("oneshot-training-");
        // PostgreSQL may run as another user.
        Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxr-xr-x"));
        Map<Service, List<String>> commands = new EnumMap<>(Service.class);
        contents.forEach((service, directory) -> commands.put(service, command(service, directory)));
        try (LocalStack stack = LocalStack.start(StackSettings.onFreePorts(project, state), _ -> {}, commands)) {
            try (Journey journey = Journey.begin(stack)) {
                for (int i = 0; i < JOURNEYS; i++) {
                    journey.make();
                }
                System.out.printf("recorded %d visits under load%n", journey.visits(UNDER_LOAD));
            }
            // All at once: each writes its cache on its own processor, if there are enough.
            contents.keySet().forEach(service -> stack.process(service).destroy());
            for (Map.Entry<Service, Path> recorded : contents.entrySet()) {
                awaitEnd(recorded.getKey(), stack.process(recorded.getKey()));
                if (Files.notExists(recorded.getValue().resolve(CACHE))) {
                    throw new StackException(recorded.getKey().label() + " left no cache; its log is in "
                            + stack.settings().logs());
                }
            }
        }
        TemporaryBackends.delete(state);
    }

    /** Only G1 writes the objects in a cache; every collector except ZGC can read them. */
    private List<String> command(Service service, Path directory) {
        return List.of(
                "/bin/sh",
                "-c",
                THERE + (service == Service.API ? MIGRATED_BEFORE : "") + "exec \"$@\"",
                directory.toString(),
                java.toString(),
                "@jvm-options",
                "-XX:+UseG1GC",
                "-Xmx512m",
                "-XX:AOTCacheOutput=" + CACHE,
                "-jar",
                "quarkus-run.jar");
    }

    /** Longer than the stack's timeout, as the cache is written at the end of the process. */
    private static void awaitEnd(Service service, ProcessHandle process) throws InterruptedException {
        try {
            process.onExit().get(RECORDING_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new StackException(service.label() + " did not write its cache", e);
        }
    }
}
