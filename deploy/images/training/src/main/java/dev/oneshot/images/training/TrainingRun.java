package dev.oneshot.images.training;

import dev.oneshot.local.bench.api.ApiClient;
import dev.oneshot.local.bench.system.ImageContents;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Service;
import dev.oneshot.local.stack.StackSettings;
import dev.oneshot.local.stack.StackSettings.Option;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
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
    /** Long enough for the compilers to find the methods that are hot. */
    private static final Duration UNDER_LOAD = Duration.ofSeconds(10);
    /** Longer than the stack's timeout, as the cache is written at the end of the process. */
    private static final Duration RECORDING_TIMEOUT =
            Duration.ofSeconds(Integer.getInteger("oneshot.ready-timeout-seconds", 300));

    private static final String CACHE = "app.aot";

    /** Only G1 writes the objects in a cache; every collector except ZGC can read them. */
    private static final List<String> OPTIONS = List.of("-XX:+UseG1GC", "-Xmx512m", "-XX:AOTCacheOutput=" + CACHE);

    private TrainingRun() {}

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
        recordCaches(Path.of(arguments[0]).toAbsolutePath().normalize(), arguments[1], contents);
        System.exit(0);
    }

    private static void recordCaches(Path project, String java, Map<Service, Path> contents) throws Exception {
        StackSettings settings = StackSettings.onFreePorts(
                        project,
                        Files.createTempDirectory("oneshot-training-"),
                        Option.TEMPORARY,
                        Option.QUICK_COMPILER)
                .with(ApiClient.NO_LIMITS);
        // A builder of images keeps no files of a step that fails.
        Queue<String> log = new ConcurrentLinkedQueue<>();
        try (LocalStack stack = LocalStack.start(settings, log::add)) {
            // The database is migrated by now: migrations are rare, and their classes would take memory for good.
            for (Map.Entry<Service, Path> recorded : contents.entrySet()) {
                stack.stop(recorded.getKey());
                stack.start(recorded.getKey(), ImageContents.command(recorded.getValue(), java, OPTIONS));
            }
            contents.keySet().forEach(stack::awaitReady);
            Journey journey = new Journey(stack);
            for (int i = 0; i < JOURNEYS; i++) {
                journey.make();
            }
            System.out.printf("recorded %d visits under load%n", journey.visits(UNDER_LOAD));
            // All at once: each writes its cache on its own processor, if there are enough.
            contents.keySet().forEach(service -> stack.process(service).destroy());
            for (Map.Entry<Service, Path> recorded : contents.entrySet()) {
                String label = recorded.getKey().label();
                try {
                    stack.process(recorded.getKey()).onExit().get(RECORDING_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
                } catch (TimeoutException e) {
                    throw new IOException(label + " wrote no cache in " + RECORDING_TIMEOUT.toSeconds() + " s", e);
                }
                if (Files.notExists(recorded.getValue().resolve(CACHE))) {
                    throw new IOException(label + " left no cache");
                }
            }
        } catch (Exception e) {
            log.forEach(System.err::println);
            throw e;
        }
    }
}
