package dev.oneshot.local.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * The four services.
 *
 * <p>Their JVMs are told what they are told, or would choose by themselves, in a pod of the chart, not on a whole machine.
 */
public enum Service {
    API("api", "api-service", Port.API_MANAGEMENT, "512m", Options.GIVES_BACK),
    /**
     * What it needs for floods of large mails is bounded, and between them it gives most of it back: see decision
     * record 22.
     */
    INGEST(
            "ingest",
            "smtp-ingest-service",
            Port.INGEST_MANAGEMENT,
            "184m",
            List.of(
                    "-XX:+UseG1GC",
                    "-Xms64m",
                    "-XX:MinHeapFreeRatio=20",
                    "-XX:MaxHeapFreeRatio=40",
                    "-XX:GCTimeRatio=9",
                    "-XX:-G1UseAdaptiveIHOP",
                    "-XX:InitiatingHeapOccupancyPercent=40",
                    "-XX:G1PeriodicGCInterval=5000",
                    // Or the thread that writes to Kafka keeps a copy as large as the largest mail outside of the heap.
                    "-Djdk.nio.maxCachedBufferSize=262144")),
    MAILER("mailer", "outbound-mailer-service", Port.MAILER_MANAGEMENT, "512m", Options.GIVES_BACK),
    /** Never has more than a batch of rows. */
    EXPIRY("expiry", "expiry-service", Port.EXPIRY_MANAGEMENT, "512m", List.of("-XX:+UseSerialGC", "-Xms16m"));

    private final String label;
    private final String module;
    private final Port management;
    private final String heap;

    @SuppressWarnings("ImmutableEnumChecker") // Made by List.of.
    private final List<String> jvmOptions;

    Service(String label, String module, Port management, String heap, List<String> jvmOptions) {
        this.label = label;
        this.module = module;
        this.management = management;
        this.heap = heap;
        this.jvmOptions = jvmOptions;
    }

    /** What its log lines are prefixed with. */
    public String label() {
        return label;
    }

    /** Where it says how it is. */
    public Port management() {
        return management;
    }

    /** The largest heap that it needs, as {@code -Xmx} takes it. */
    public String heap() {
        return heap;
    }

    /** What its JVM is told besides what all are told: collector and heap, but for its largest size. */
    public List<String> jvmOptions() {
        return jvmOptions;
    }

    /** The service of a module, as in {@code api-service}. */
    static Service ofModule(String module) {
        for (Service service : values()) {
            if (service.module.equals(module)) {
                return service;
            }
        }
        throw new StackException("no service called " + module);
    }

    /** Its folder in the source tree. */
    public String module() {
        return module;
    }

    /** What Quarkus packages it as. */
    public Path jar(Path project) {
        return project.resolve(module).resolve("target/quarkus-app/quarkus-run.jar");
    }

    /**
     * The native binary that {@code ./oneshot native} makes of it.
     *
     * @throws StackException if there is none
     */
    Path binary(Path project) {
        Path target = project.resolve(module).resolve("target/native");
        try (DirectoryStream<Path> binaries = Files.newDirectoryStream(target, "*-runner")) {
            for (Path binary : binaries) {
                return binary;
            }
        } catch (NoSuchFileException e) {
            throw new StackException(this + " is not built: " + target + " is missing", e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + target, e);
        }
        throw new StackException(this + " is not built: there is no binary in " + target);
    }

    private static final class Options {

        /** Gives back what a backlog of mail, or some large ones, took: see decision record 28. */
        static final List<String> GIVES_BACK = List.of(
                "-XX:+UseG1GC",
                // Room for a start, which is given back; -Xms would be both.
                "-XX:InitialHeapSize=64m",
                "-XX:MinHeapSize=16m",
                "-XX:MinHeapFreeRatio=10",
                "-XX:MaxHeapFreeRatio=20",
                "-XX:GCTimeRatio=9",
                "-XX:G1PeriodicGCInterval=5000");

        private Options() {}
    }
}
