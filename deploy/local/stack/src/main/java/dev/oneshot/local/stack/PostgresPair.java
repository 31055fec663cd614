package dev.oneshot.local.stack;

import dev.oneshot.local.backends.LocalPostgres;
import dev.oneshot.local.backends.LoopbackPorts;
import dev.oneshot.local.stack.StackSettings.Option;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * A primary of PostgreSQL with a synchronous standby: a commit is acknowledged when both have it. One port follows the primary, as
 * the Service of an operator does. While there is no standby, commits do not wait for one. Not thread-safe.
 */
final class PostgresPair implements AutoCloseable {

    private static final String SET_SYNCHRONOUS = "ALTER SYSTEM SET synchronous_standby_names = '*'";
    private static final String SET_ALONE = "ALTER SYSTEM RESET synchronous_standby_names";
    private static final String RELOAD = "SELECT pg_reload_conf()";
    private static final String PROMOTE = "SELECT pg_promote()";
    private static final String STREAMING = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'";
    private static final int TRIES_MAX = 1200;
    private static final int TRY_EVERY_MILLIS = 50;

    private final List<Server> servers;
    private final Balancer balancer;
    /** The primary first; a standby that is down is missing. */
    private final List<LocalPostgres> running = new ArrayList<>();

    private int primary;

    /** A server, and its place behind the balancer. */
    private record Server(LocalPostgres.Settings settings, Balancer.Replica replica) {}

    PostgresPair(StackSettings settings, String password) {
        this.servers = IntStream.rangeClosed(1, 2)
                .mapToObj(i -> {
                    Path directory = settings.state().resolve("postgres-" + i);
                    int port = LoopbackPorts.free();
                    return new Server(
                            new LocalPostgres.Settings(
                                    directory, settings.installations(), port, password, settings.has(Option.DURABLE)),
                            new Balancer.Replica(port, () -> true));
                })
                .toList();
        servers.getLast().replica().drain(true);
        running.add(LocalPostgres.start(servers.getFirst().settings()));
        this.balancer = new Balancer(
                settings.port(Port.POSTGRES),
                servers.stream().map(Server::replica).toList());
    }

    LocalPostgres primary() {
        return running.getFirst();
    }

    /** Copies the primary to the other server, and then lets commits wait for it. */
    void startStandby() {
        running.add(LocalPostgres.startStandby(servers.get(1 - primary).settings(), primary()));
        becomeSynchronous();
    }

    /** Kills the primary. */
    void kill() {
        primary().kill();
    }

    /** Makes the standby the primary after {@link #kill}, and connects clients to it. */
    void promote() {
        servers.get(primary).replica().drain(true);
        running.removeFirst();
        execute(PROMOTE);
        primary = 1 - primary;
        servers.get(primary).replica().drain(false);
    }

    /** Stops the primary, promotes the standby, and makes the former primary the new standby. */
    void switchOver() {
        execute(SET_ALONE, RELOAD);
        primary().stop();
        promote();
        startStandby();
    }

    /** Restarts the standby; commits do not wait for it until it is back. */
    void restartStandby() {
        execute(SET_ALONE, RELOAD);
        running.getLast().stop();
        running.getLast().start();
        becomeSynchronous();
    }

    @Override
    public void close() {
        balancer.close();
        // A primary that stops waits for its standby.
        running.forEach(LocalPostgres::close);
    }

    private void becomeSynchronous() {
        try (Connection connection = primary().connect();
                Statement statement = connection.createStatement()) {
            for (int i = 0; i < TRIES_MAX; i++) {
                try (ResultSet count = statement.executeQuery(STREAMING)) {
                    count.next();
                    if (count.getInt(1) == 1) {
                        statement.execute(SET_SYNCHRONOUS);
                        statement.execute(RELOAD);
                        return;
                    }
                }
                TimeUnit.MILLISECONDS.sleep(TRY_EVERY_MILLIS);
            }
            throw new StackException("the standby of PostgreSQL does not follow");
        } catch (SQLException e) {
            throw new StackException("PostgreSQL has no standby: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StackException("the start was cancelled");
        }
    }

    private void execute(String... commands) {
        try (Connection connection = primary().connect();
                Statement statement = connection.createStatement()) {
            for (String command : commands) {
                statement.execute(command);
            }
        } catch (SQLException e) {
            throw new StackException(commands[0] + " failed: " + e.getMessage());
        }
    }
}
