package dev.oneshot.local.stack;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The four services.
 *
 * <p>Their JVM options are those of a pod of the chart; a JVM would choose others on a whole machine.
 */
public enum Service {
    /** A batch of mail is smaller than half a region of the heap, so it is collected with the young generation: decision 12. */
    API(
            "api",
            "api-service",
            Port.API_MANAGEMENT,
            "512m",
            "-XX:+UseG1GC -XX:G1HeapRegionSize=2m -XX:InitialHeapSize=96m -XX:MinHeapSize=16m -XX:MinHeapFreeRatio=20"
                    + " -XX:MaxHeapFreeRatio=40 -XX:G1PeriodicGCInterval=5000",
            "ACCOUNT_ ADDRESS_ API_KEY_ BACKGROUND_ CONSOLE_ DATABASE_ HTTP_ IDEMPOTENCY_ INBOX_ LETTERS_ MANAGEMENT_"
                    + " MIGRATION_ OPERATOR_ PLANS_ SENDING_ TRACING_ RECEIVE_DOMAIN SEND_DOMAIN UPGRADE_URL"),
    /** A large heap for many large mails; G1 returns most of it afterwards: decision 14. */
    INGEST(
            "ingest",
            "smtp-ingest-service",
            Port.INGEST_MANAGEMENT,
            "184m",
            "-XX:+UseG1GC -Xms64m -XX:MinHeapFreeRatio=20 -XX:MaxHeapFreeRatio=40 -XX:GCTimeRatio=9"
                    + " -XX:-G1UseAdaptiveIHOP -XX:InitiatingHeapOccupancyPercent=40 -XX:G1PeriodicGCInterval=5000",
            "ADDRESS_KEYS ADDRESS_KEYS_ AUTHENTICATION_ DELIVERY_ DNS_ MANAGEMENT_ RECIPIENT_ SMTP_ TRACING_ RECEIVE_DOMAIN"
                    + " SEND_DOMAIN"),
    /** Returns heap after some large mails: decision 12. */
    MAILER(
            "mailer",
            "outbound-mailer-service",
            Port.MAILER_MANAGEMENT,
            "512m",
            "-XX:+UseG1GC -XX:InitialHeapSize=64m -XX:MinHeapSize=16m -XX:MinHeapFreeRatio=10 -XX:MaxHeapFreeRatio=20"
                    + " -XX:GCTimeRatio=9 -XX:G1PeriodicGCInterval=5000",
            "DKIM_ MAILER_ MANAGEMENT_ RELAY_ TRACING_ SEND_DOMAIN"),
    /** Has one batch of rows in memory at most. */
    EXPIRY(
            "expiry",
            "expiry-service",
            Port.EXPIRY_MANAGEMENT,
            "512m",
            "-XX:+UseSerialGC -Xms16m",
            "DATABASE_ EXPIRY_ MANAGEMENT_");

    private final String label;
    private final String module;
    private final Port management;
    private final String heap;
    private final String jvmOptions;
    private final String settings;

    /** @param settings its environment variables without {@code ONESHOT_}; one that ends with {@code _} is a prefix */
    Service(String label, String module, Port management, String heap, String jvmOptions, String settings) {
        this.label = label;
        this.module = module;
        this.management = management;
        this.heap = heap;
        this.jvmOptions = jvmOptions;
        this.settings = settings;
    }

    /** The prefix of its log lines. */
    public String label() {
        return label;
    }

    /** Its management port. */
    public Port management() {
        return management;
    }

    /** The largest heap, as {@code -Xmx} takes it. */
    public String heap() {
        return heap;
    }

    /** Further options of its JVM: the collector, and the heap except for its largest size. */
    public List<String> jvmOptions() {
        return List.of(jvmOptions.split(" ", -1));
    }

    /** Whether an environment variable may be a setting of this service, which checks the whole name. */
    public boolean reads(String variable) {
        return Arrays.stream(settings.split(" ", -1))
                .map(name -> StackSettings.PREFIX + name)
                .anyMatch(name -> name.endsWith("_") ? variable.startsWith(name) : variable.equals(name));
    }

    /** The service of a module, as in {@code api-service}. */
    public static Service ofModule(String module) {
        return Arrays.stream(values())
                .filter(service -> service.module.equals(module))
                .findFirst()
                .orElseThrow(() -> new StackException("no service called " + module));
    }

    /** Its folder in the source tree. */
    public String module() {
        return module;
    }

    /** Its packaged jar. */
    public Path jar(Path project) {
        return project.resolve(module).resolve("target/quarkus-app/quarkus-run.jar");
    }

    /**
     * The native binary that {@code ./oneshot native} builds.
     *
     * @throws StackException if there is none
     */
    Path binary(Path project) {
        Path target = project.resolve(module).resolve("target/native");
        File[] binaries = target.toFile().listFiles((_, name) -> name.endsWith("-runner"));
        if (binaries == null || binaries.length == 0) {
            throw new StackException(this + " is not built: there is no binary in " + target);
        }
        return binaries[0].toPath();
    }
}
