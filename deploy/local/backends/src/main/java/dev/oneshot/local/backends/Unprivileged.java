package dev.oneshot.local.backends;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How to start PostgreSQL, which refuses to run as root. Any other user starts it directly. Root starts it in a user
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

    /** If the server runs as another user, lets that user reach a directory, and own it and its files. */
    void own(Path directory) throws IOException {
        if (equals(AS_NOBODY)) {
            Program.run(List.of("chmod", "o+x", directory.resolve("..").toString()));
            Program.run(List.of("chown", "-R", "nobody", directory.toString()));
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
