package dev.oneshot.local.backends;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * How to start PostgreSQL, which refuses to run as root. Another user starts it directly. Root starts it in a user
 * namespace, or as {@code nobody} where namespaces are forbidden, as in many containers.
 *
 * @param prefix of every command
 */
record Unprivileged(List<String> prefix) {

    private static final Unprivileged AS_IS = new Unprivileged(List.of());
    private static final Unprivileged IN_NAMESPACE = new Unprivileged(List.of("unshare", "--user"));
    private static final Unprivileged AS_NOBODY =
            new Unprivileged(List.of("setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups"));

    /**
     * Finds a way that works here.
     *
     * @throws IllegalStateException if this is root and none does
     */
    static Unprivileged detect() {
        if (!"root".equals(System.getProperty("user.name"))) {
            return AS_IS;
        }
        for (Unprivileged way : List.of(IN_NAMESPACE, AS_NOBODY)) {
            if (way.works()) {
                return way;
            }
        }
        throw new IllegalStateException("PostgreSQL does not run as root, and neither unshare nor setpriv (util-linux)"
                + " can drop its privileges here: start as an ordinary user");
    }

    List<String> command(List<String> command) {
        List<String> whole = new ArrayList<>(prefix);
        whole.addAll(command);
        return whole;
    }

    /** Changes the owner of a directory and its files if the server runs as another user. */
    void own(Path directory) throws IOException {
        if (!equals(AS_NOBODY)) {
            return;
        }
        letPass(directory.resolve(".."));
        UserPrincipal nobody =
                directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.toList()) {
                Files.setOwner(file, nobody);
            }
        }
    }

    /** Lets all users reach files in a directory, without listing it. */
    private static void letPass(Path directory) throws IOException {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(directory);
        if (permissions.add(PosixFilePermission.OTHERS_EXECUTE)) {
            Files.setPosixFilePermissions(directory, permissions);
        }
    }

    private boolean works() {
        try {
            Program.run(command(List.of("true")));
            return true;
        } catch (IOException | IllegalStateException notInstalledOrForbidden) {
            return false;
        }
    }
}
