package dev.oneshot.api.http;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;

/** Files that the build puts on the class path. */
public final class ClassPathFile {

    private ClassPathFile() {}

    /**
     * Reads a file that must be there. Vert.x can send a buffer any number of times.
     *
     * @param name in the package of {@code owner}
     * @throws IllegalStateException if it is missing
     */
    public static Buffer read(Class<?> owner, String name) {
        return find(owner, name)
                .orElseThrow(() -> new IllegalStateException("the build has not made the file " + name));
    }

    /** Reads a file, if there is one of this name in the package of {@code owner}. */
    public static Optional<Buffer> find(Class<?> owner, String name) {
        try (InputStream in = owner.getResourceAsStream(name)) {
            return in == null ? Optional.empty() : Optional.of(Buffer.buffer(in.readAllBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException("a file of the class path is not readable: " + name, e);
        }
    }
}
