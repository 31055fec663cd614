package dev.oneshot.local.backends;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import org.apache.commons.io.FileUtils;

/**
 * Copies the data of a running server for a standby, as pg_basebackup does, which the embedded binaries lack (PostgreSQL,
 * "Making a Base Backup Using the Low Level API").
 */
final class BaseBackup {

    /** Not copied: the standby has its own process, and gets the write-ahead log from its primary. */
    private static final Set<String> OMITTED = Set.of("postmaster.pid", "postmaster.opts", "pg_wal", "pg_replslot");

    private BaseBackup() {}

    /**
     * Makes a standby's data directory.
     *
     * @param from the data directory of the primary
     * @param conninfo how the standby connects to the primary, without a password
     * @param to replaced if it exists
     */
    static void copy(LocalPostgres primary, Path from, String conninfo, Path to) throws IOException {
        try (Connection session = primary.connect();
                Statement backup = session.createStatement()) {
            FileUtils.deleteDirectory(to.toFile());
            backup.execute("SELECT pg_backup_start('standby', fast => true)");
            Files.walkFileTree(from, new Copy(from, to));
            Files.createDirectories(to.resolve("pg_wal/archive_status"));
            Files.createDirectories(to.resolve("pg_replslot"));
            try (ResultSet stopped =
                    backup.executeQuery("SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)")) {
                stopped.next();
                Files.writeString(to.resolve("backup_label"), stopped.getString(1));
            }
        } catch (SQLException e) {
            throw new IllegalStateException("cannot copy " + from, e);
        }
        Files.createFile(to.resolve("standby.signal"));
        // Replaces what the primary has set for itself.
        Files.writeString(to.resolve("postgresql.auto.conf"), "primary_conninfo = '" + conninfo + "'\n");
    }

    /** Files of a running server may vanish. */
    private static final class Copy extends SimpleFileVisitor<Path> {

        private final Path from;
        private final Path to;

        Copy(Path from, Path to) {
            this.from = from;
            this.to = to;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) throws IOException {
            if (isOmitted(directory)) {
                return FileVisitResult.SKIP_SUBTREE;
            }
            Files.createDirectory(
                    target(directory),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            if (!isOmitted(file)) {
                try {
                    Files.copy(file, target(file));
                } catch (NoSuchFileException vanished) {
                    return FileVisitResult.CONTINUE;
                }
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw e;
        }

        private boolean isOmitted(Path path) {
            return from.equals(path.getParent())
                    && OMITTED.contains(path.getFileName().toString());
        }

        private Path target(Path path) {
            return to.resolve(from.relativize(path));
        }
    }
}
