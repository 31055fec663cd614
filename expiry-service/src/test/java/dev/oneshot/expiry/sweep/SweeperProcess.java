package dev.oneshot.expiry.sweep;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import org.postgresql.ds.PGSimpleDataSource;

/** A replica in its own process, which sweeps once and ends, so that a test can kill it. */
final class SweeperProcess {

    private SweeperProcess() {}

    /** Starts one with the service's configuration. */
    static Process start(Map<String, String> configuration) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        SweeperProcess.class.getName(),
                        setting(configuration, "oneshot.database.url"),
                        setting(configuration, "oneshot.database.username"),
                        setting(configuration, "oneshot.database.password"))
                .redirectErrorStream(true)
                .redirectOutput(new File("target/sweeper-process.log"))
                .start();
    }

    /** Arguments: URL, user and password of the database. */
    public static void main(String[] arguments) throws SQLException {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(arguments[0]);
        database.setUser(arguments[1]);
        database.setPassword(arguments[2]);
        SettingsForTest settings = SettingsForTest.batches(50, 2);
        new Sweeper(database, new ExpiredAddresses(settings), settings, new SimpleMeterRegistry()).sweepAll();
    }

    private static String setting(Map<String, String> configuration, String key) {
        return Objects.requireNonNull(configuration.get(key), key);
    }
}
