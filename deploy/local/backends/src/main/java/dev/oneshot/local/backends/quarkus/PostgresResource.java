package dev.oneshot.local.backends.quarkus;

import dev.oneshot.local.backends.LocalPostgres;
import dev.oneshot.local.backends.TemporaryBackends;
import java.util.Map;
import java.util.function.Function;

/**
 * A PostgreSQL server as {@code oneshot.database.url}, {@code .username} and {@code .password}, and a key as {@code
 * oneshot.address.keys}. All test classes of the JVM share the database, so each test uses its own rows.
 */
public final class PostgresResource extends SharedServer {

    /** Stops the server, until {@link #startServer()}. */
    public static void stopServer() {
        var _ = new PostgresResource().run(false);
    }

    /** Starts the server on the same port with the same data. */
    public static void startServer() {
        var _ = new PostgresResource().run(true);
    }

    @Override
    Function<Boolean, Map<String, String>> make() {
        LocalPostgres postgres = TemporaryBackends.postgres();
        Map<String, String> settings = Map.of(
                "oneshot.database.url", postgres.jdbcUrl(),
                "oneshot.database.username", postgres.username(),
                "oneshot.database.password", postgres.password());
        return of(settings, postgres::start, postgres::stop);
    }
}
