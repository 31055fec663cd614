package dev.oneshot.local.stack;

import java.nio.file.Path;
import java.util.List;

/** The four services. */
public enum Service {
    API("api", "api-service", Port.API_MANAGEMENT),
    /** Between floods of large mails it needs a tenth of its heap, so it gives the rest back: see decision record 22. */
    INGEST(
            "ingest",
            "smtp-ingest-service",
            Port.INGEST_MANAGEMENT,
            "-XX:+UseG1GC",
            "-Xms64m",
            "-XX:MinHeapFreeRatio=20",
            "-XX:MaxHeapFreeRatio=40",
            "-XX:GCTimeRatio=9",
            "-XX:-G1UseAdaptiveIHOP",
            "-XX:InitiatingHeapOccupancyPercent=40",
            "-XX:G1PeriodicGCInterval=5000"),
    MAILER("mailer", "outbound-mailer-service", Port.MAILER_MANAGEMENT),
    EXPIRY("expiry", "expiry-service", Port.EXPIRY_MANAGEMENT);

    private final String label;
    private final String module;
    private final Port management;

    @SuppressWarnings("ImmutableEnumChecker") // Made by List.of.
    private final List<String> jvmOptions;

    Service(String label, String module, Port management, String... jvmOptions) {
        this.label = label;
        this.module = module;
        this.management = management;
        this.jvmOptions = List.of(jvmOptions);
    }

    /** What its log lines are prefixed with. */
    String label() {
        return label;
    }

    Port management() {
        return management;
    }

    /** What its JVM is told besides what all are told. */
    List<String> jvmOptions() {
        return jvmOptions;
    }

    /** What Quarkus packages it as. */
    Path jar(Path project) {
        return project.resolve(module).resolve("target/quarkus-app/quarkus-run.jar");
    }
}
