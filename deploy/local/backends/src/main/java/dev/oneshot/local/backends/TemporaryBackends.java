package dev.oneshot.local.backends;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.io.FileUtils;
import org.apache.commons.io.function.Uncheck;

/** Backends for tests: on free ports, with data that is deleted when the JVM ends. */
public final class TemporaryBackends {

    /** A key that signs address ids in tests, in base64. */
    public static final String ADDRESS_KEY = "b25lc2hvdC10ZXN0LWFkZHJlc3Mta2V5LW5vLXNlY3JldA==";

    /** A secret that signs API keys in tests, in base64. */
    public static final String API_KEY_SECRET = "b25lc2hvdC10ZXN0LWFwaS1rZXktbm8tc2VjcmV0LTEyMw==";

    private TemporaryBackends() {}

    /** A started server that stops when the JVM ends. */
    public static LocalPostgres postgres() {
        Path directory = directory("postgres");
        LocalPostgres postgres = LocalPostgres.start(
                new LocalPostgres.Settings(directory, installations(), LoopbackPorts.free(), "not-a-secret", false));
        atEnd(postgres::stop, directory);
        return postgres;
    }

    /** A started broker that stops when the JVM ends. */
    public static LocalKafka kafka() {
        Path directory = directory("kafka");
        LocalKafka kafka = LocalKafka.start(directory, LoopbackPorts.free());
        atEnd(kafka::stop, directory);
        return kafka;
    }

    /** The folder of PostgreSQL's programs for the tests of this user. */
    public static Path installations() {
        return Path.of(System.getProperty("java.io.tmpdir"), "oneshot-" + System.getProperty("user.name"));
    }

    private static Path directory(String name) {
        return Uncheck.get(() -> Files.createTempDirectory("oneshot-" + name + "-"));
    }

    private static void atEnd(Runnable server, Path directory) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.run();
            Uncheck.accept(FileUtils::deleteDirectory, directory.toFile());
        }));
    }
}
