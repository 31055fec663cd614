package dev.oneshot.local.backends.quarkus;

import dev.oneshot.local.backends.LocalPostgres;
import dev.oneshot.local.backends.TemporaryBackends;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;

/**
 * A PostgreSQL server as {@code oneshot.database.url}, {@code .username} and {@code .password}, and a key as {@code
 * oneshot.address.keys}. All test classes of the JVM share the database, so each test uses its own rows.
 */
public final class PostgresResource implements QuarkusTestResourceLifecycleManager {

    private static final String SHARED_AS = "oneshot.test.postgres";

    @Override
    public Map<String, String> start() {
        return TestServer.startOnce(SHARED_AS, PostgresResource::startShared).configuration();
    }

    @Override
    public void stop() {
        // The next test class uses it; it ends with the JVM.
    }

    /** Stops the server, until {@link #startServer()}. */
    public static void stopServer() {
        TestServer.started(SHARED_AS).stop().run();
    }

    /** Starts the server on the same port with the same data. */
    public static void startServer() {
        TestServer.started(SHARED_AS).start().run();
    }

    private static TestServer startShared() {
        LocalPostgres postgres = TemporaryBackends.postgres();
        Map<String, String> configuration = Map.of(
                "oneshot.database.url", postgres.jdbcUrl(),
                "oneshot.database.username", postgres.username(),
                "oneshot.database.password", postgres.password());
        return new TestServer(configuration, postgres::stop, postgres::start);
    }
}
