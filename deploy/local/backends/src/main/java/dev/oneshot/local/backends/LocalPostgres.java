package dev.oneshot.local.backends;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.apache.commons.io.FileUtils;
import org.apache.commons.io.function.Uncheck;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PostgreSQL server as a separate process, listening on 127.0.0.1, with one database and its owner, both named
 * {@value #NAME}.
 *
 * <p>{@link #stop()} and {@link #start()} keep the port and the data. Not thread-safe.
 */
public final class LocalPostgres implements AutoCloseable {

    /** The database and the user that owns it. */
    public static final String NAME = "oneshot";

    private static final Duration START_TIMEOUT = Duration.ofMinutes(5);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration CHECK_EVERY = Duration.ofMillis(50);
    private static final int LOG_LINES_SHOWN = 10;

    private static final String DATABASE_OPTIONS =
            "--auth=scram-sha-256 --encoding=UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8";
    private static final String SERVER_OPTIONS = "-c listen_addresses=127.0.0.1 -c unix_socket_directories="
            + " -c max_connections=200 -c shared_buffers=128MB -c log_min_messages=warning -c timezone=UTC";

    /**
     * @param directory of its data and log; created if missing
     * @param installations where its programs are unpacked, shared by all servers
     * @param port 1 to 65535; see {@link LoopbackPorts#free()}
     * @param password of {@value #NAME}; existing data keeps its password
     * @param durable whether commits survive a power failure; false is faster, for tests
     */
    public record Settings(Path directory, Path installations, int port, String password, boolean durable) {}

    private final Settings settings;
    private final Path installation;
    private final Unprivileged unprivileged;
    private @Nullable Process process;

    private LocalPostgres(Settings settings, Path installation, Unprivileged unprivileged) {
        this.settings = settings;
        this.installation = installation;
        this.unprivileged = unprivileged;
    }

    /**
     * Starts a server and creates its data directory and database if missing.
     *
     * @throws IllegalStateException if it does not start; the message has the end of its log
     */
    public static LocalPostgres start(Settings settings) {
        try {
            LocalPostgres postgres = new LocalPostgres(
                    settings, PostgresInstallation.unpack(settings.installations()), Unprivileged.detect());
            postgres.start();
            postgres.createDatabase();
            return postgres;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start PostgreSQL in " + settings.directory(), e);
        }
    }

    /**
     * Starts a standby of a running server. It replicates asynchronously until {@code synchronous_standby_names} of the primary
     * names it.
     *
     * @param settings with the primary's password; earlier data is replaced
     */
    public static LocalPostgres startStandby(Settings settings, LocalPostgres primary) {
        try {
            LocalPostgres standby = new LocalPostgres(settings, primary.installation, primary.unprivileged);
            Files.createDirectories(settings.directory());
            String conninfo = "host=127.0.0.1 port=" + primary.settings.port() + " user=" + NAME;
            BaseBackup.copy(primary, primary.data(), conninfo, standby.data());
            standby.start();
            return standby;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start a standby in " + settings.directory(), e);
        }
    }

    /** The URL of the database {@value #NAME} on a server with this port. */
    public static String jdbcUrl(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + NAME;
    }

    public String jdbcUrl() {
        return jdbcUrl(settings.port());
    }

    public String username() {
        return NAME;
    }

    public String password() {
        return settings.password();
    }

    /** Opens a connection to the database, as its owner. */
    public Connection connect() throws SQLException {
        return source(NAME).getConnection();
    }

    /** The owner's connections to a database of this server. */
    public DataSource source(String database) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl("jdbc:postgresql://127.0.0.1:" + settings.port() + "/" + database + "?loginTimeout=5");
        source.setUser(NAME);
        source.setPassword(settings.password());
        return source;
    }

    /** The server process, if it runs. */
    public Optional<ProcessHandle> process() {
        return Optional.ofNullable(process).filter(Process::isAlive).map(Process::toHandle);
    }

    /** Creates a user who may log in, or sets the password of an existing one. The user owns nothing. */
    public void ensureUser(String name, String password) {
        try (Connection connection = source("postgres").getConnection();
                Statement statement = connection.createStatement()) {
            String user = statement.enquoteLiteral(name);
            ResultSet existing = statement.executeQuery("SELECT 1 FROM pg_roles WHERE rolname = " + user);
            String verb = existing.next() ? "ALTER" : "CREATE";
            statement.execute(verb + " ROLE " + statement.enquoteIdentifier(name, true) + " LOGIN PASSWORD "
                    + statement.enquoteLiteral(password));
        } catch (SQLException e) {
            throw new IllegalStateException("cannot create the user " + name, e);
        }
    }

    /** Starts the server after {@link #stop()}; does nothing if it runs. */
    public void start() {
        if (process().isPresent()) {
            return;
        }
        try {
            Files.createDirectories(settings.directory());
            unprivileged.own(settings.installations());
            if (Files.notExists(data().resolve("PG_VERSION"))) {
                initialise();
            }
            unprivileged.own(settings.directory());
            endServerLeftBehind();
            LoopbackPorts.requireFree(settings.port(), "PostgreSQL");
            String unsafe = settings.durable() ? "" : " -c fsync=off -c full_page_writes=off";
            ProcessBuilder server = new ProcessBuilder(
                            command("postgres", "-p " + settings.port() + " " + SERVER_OPTIONS + unsafe))
                    .redirectErrorStream(true)
                    .redirectOutput(log().toFile());
            // Settings of services include secrets.
            server.environment().keySet().removeIf(name -> name.startsWith("ONESHOT_"));
            if (Files.exists(data().resolve("standby.signal"))) {
                // A standby connects to its primary with this password.
                server.environment().put("PGPASSWORD", settings.password());
            }
            process = server.start();
            awaitConnection();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start PostgreSQL in " + settings.directory(), e);
        }
    }

    /**
     * Ends all connections and stops the server; its data stays.
     *
     * @throws IllegalStateException if it did not stop in time and was killed
     */
    public void stop() {
        try {
            process().ifPresent(this::end);
        } finally {
            process = null;
        }
    }

    /** Kills all processes of the server, as {@code kill -9}. */
    public void kill() {
        process().ifPresent(server -> {
            Stream.concat(Stream.of(server), server.descendants()).forEach(ProcessHandle::destroyForcibly);
            server.onExit().join();
        });
        process = null;
    }

    @Override
    public void close() {
        stop();
    }

    private Path data() {
        return settings.directory().resolve("data");
    }

    private Path log() {
        return settings.directory().resolve("postgresql.log");
    }

    private void initialise() throws IOException {
        Path passwordFile = Files.createTempFile(settings.directory(), "password", "");
        try {
            Files.writeString(passwordFile, settings.password());
            // An earlier attempt may have been interrupted, and initdb needs an empty directory.
            FileUtils.deleteDirectory(data().toFile());
            unprivileged.own(settings.directory());
            String unsafe = settings.durable() ? "" : " --no-sync";
            List<String> command = command("initdb", "--username=" + NAME + " " + DATABASE_OPTIONS + unsafe);
            command.add("--pwfile=" + passwordFile);
            Program.run(command);
        } finally {
            Files.delete(passwordFile);
        }
    }

    /** The command line of a program for this data directory. Spaces separate the options, so none may contain one. */
    private List<String> command(String program, String options) {
        String executable = installation.resolve("bin").resolve(program).toString();
        List<String> command = new ArrayList<>(List.of(executable, "-D", data().toString()));
        command.addAll(List.of(options.split(" ", -1)));
        return unprivileged.command(command);
    }

    /** Ends a server that a killed JVM left running. The pid in a stale pid file may be another process. */
    private void endServerLeftBehind() throws IOException {
        Path pidFile = data().resolve("postmaster.pid");
        if (Files.exists(pidFile)) {
            String pid = Files.readAllLines(pidFile).getFirst().strip();
            ProcessHandle.of(Long.parseLong(pid))
                    .filter(process -> process.info().commandLine().orElse("").contains(data().toString()))
                    .ifPresentOrElse(this::end, () -> Uncheck.apply(Files::deleteIfExists, pidFile));
        }
    }

    /** SIGINT ends connections first; SIGTERM, which the JDK sends, would wait for their clients. */
    private void end(ProcessHandle server) {
        // The server may have ended by now.
        String kill = "kill -INT " + server.pid() + " || true";
        Uncheck.apply(Program::run, unprivileged.command(List.of("/bin/sh", "-c", kill)));
        server.onExit()
                .completeOnTimeout(server, STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                .join();
        if (server.isAlive()) {
            var _ = server.destroyForcibly();
            throw new IllegalStateException(
                    "PostgreSQL did not stop within " + STOP_TIMEOUT.toSeconds() + " s and was killed");
        }
    }

    private void awaitConnection() throws IOException {
        long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
        while (true) {
            try (Connection _ = source("postgres").getConnection()) {
                return;
            } catch (SQLException e) {
                if (process().isEmpty() || System.nanoTime() > deadline) {
                    throw new IllegalStateException(
                            "PostgreSQL did not start on port " + settings.port() + ": " + e.getMessage() + endOfLog(),
                            e);
                }
            }
            LockSupport.parkNanos(CHECK_EVERY.toNanos());
        }
    }

    private void createDatabase() {
        try (Connection connection = source("postgres").getConnection();
                Statement statement = connection.createStatement()) {
            ResultSet existing = statement.executeQuery("SELECT 1 FROM pg_database WHERE datname = '" + NAME + "'");
            if (!existing.next()) {
                statement.execute("CREATE DATABASE " + NAME);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("cannot create the database " + NAME, e);
        }
    }

    private String endOfLog() throws IOException {
        List<String> lines = Files.readAllLines(log());
        return "\n" + String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES_SHOWN), lines.size()));
    }
}
