package dev.oneshot.local.backends;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.io.FileUtils;
import org.tukaani.xz.XZInputStream;

/** PostgreSQL's programs, unpacked from an archive on the class path. */
final class PostgresInstallation {

    private static final int EXECUTABLE = 0100;

    private PostgresInstallation() {}

    /**
     * Unpacks the programs for this machine if they are not there yet. Several JVMs may do so at once.
     *
     * @param parent of the installations, one for each version
     * @return the directory of {@code bin}, {@code lib} and {@code share}
     * @throws IOException if they cannot be read or written
     * @throws IllegalStateException if there are none for this machine
     */
    static Path unpack(Path parent) throws IOException {
        URL archive = archiveOfThisMachine();
        // The directory has the name of the jar, which has the version.
        Path directory = parent.resolve(archive.toString().replaceAll(".*/([^/]+)\\.jar!.*", "$1"));
        if (Files.isDirectory(directory)) {
            return directory;
        }
        Files.createDirectories(parent);
        Path unpacking = Files.createTempDirectory(parent, "unpacking-");
        try (InputStream resource = archive.openStream()) {
            unpack(resource, unpacking);
        }
        try {
            Files.move(unpacking, directory, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            if (!Files.isDirectory(directory)) {
                throw e;
            }
            FileUtils.deleteDirectory(unpacking.toFile()); // another JVM was first
        }
        return directory;
    }

    private static URL archiveOfThisMachine() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac") ? "darwin" : "linux";
        String architecture = System.getProperty("os.arch").equals("aarch64") ? "arm_64" : "x86_64";
        String archive = "/postgres-" + system + "-" + architecture + ".txz";
        URL resource = PostgresInstallation.class.getResource(archive);
        if (resource == null) {
            throw new IllegalStateException("no PostgreSQL for this machine on the class path: " + archive);
        }
        return resource;
    }

    private static void unpack(InputStream archive, Path target) throws IOException {
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(archive)))) {
            tar.forEach(entry -> unpack(tar, entry, target));
        }
    }

    private static void unpack(TarArchiveInputStream tar, TarArchiveEntry entry, Path target) throws IOException {
        Path path = target.resolve(entry.getName());
        if (entry.isDirectory()) {
            Files.createDirectories(path);
            return;
        }
        Files.createDirectories(path.getParent());
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
            return;
        }
        Files.copy(tar, path);
        boolean executable = (entry.getMode() & EXECUTABLE) != 0;
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(executable ? "rwx------" : "rw-------"));
    }
}
