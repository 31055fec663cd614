package dev.oneshot.local.backends.quarkus;

import dev.oneshot.local.backends.LocalPostgres;
import dev.oneshot.local.backends.TemporaryBackends;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;

/**
 * A PostgreSQL for the tests of this JVM, as {@code oneshot.database.url}, {@code .username} and {@code .password};
 * also an {@code oneshot.address.keys} to sign with. Every test class of the JVM meets the same database, so tests
 * keep to rows of their own.
 */
public final class PostgresResource implements QuarkusTestResourceLifecycleManager {

    private static final String SHARED_AS = "oneshot.test.postgres";

    @Override
    public Map<String, String> start() {
        return TestServer.startOnce(SHARED_AS, PostgresResource::startShared).configuration();
    }

    @Override
    public void stop() {
        // It stays for the next test class and ends with the JVM.
    }

    /** Takes the server away, until {@link #startServer()}. */
    public static void stopServer() {
        TestServer.started(SHARED_AS).stop().run();
    }

    /** Brings the server back, on the same port with the same data. */
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
