package dev.oneshot.local.backends.quarkus;

import dev.oneshot.local.backends.LocalPostgres;
import dev.oneshot.local.backends.TemporaryBackends;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;
import java.util.function.Function;

/**
 * A PostgreSQL server as {@code oneshot.database.url}, {@code .username} and {@code .password}, and a key as {@code
 * oneshot.address.keys}. All test classes of the JVM share the database, so each test uses its own rows.
 */
public final class PostgresResource implements QuarkusTestResourceLifecycleManager {

    @Override
    public Map<String, String> start() {
        return run(true);
    }

    @Override
    public void stop() {
        // The next test class uses it; it ends with the JVM.
    }

    /** Stops the server, until {@link #startServer()}. */
    public static void stopServer() {
        var _ = run(false);
    }

    /** Starts the server on the same port with the same data. */
    public static void startServer() {
        var _ = run(true);
    }

    private static Map<String, String> run(boolean running) {
        return SharedServer.run("postgres", running, PostgresResource::make);
    }

    private static Function<Boolean, Map<String, String>> make() {
        LocalPostgres postgres = TemporaryBackends.postgres();
        Map<String, String> settings = Map.of(
                "oneshot.database.url", postgres.jdbcUrl(),
                "oneshot.database.username", postgres.username(),
                "oneshot.database.password", postgres.password());
        return SharedServer.of(settings, postgres::start, postgres::stop);
    }
}
