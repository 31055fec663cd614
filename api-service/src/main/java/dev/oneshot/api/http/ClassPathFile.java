package dev.oneshot.api.http;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Files that the build puts on the class path. */
public final class ClassPathFile {

    private ClassPathFile() {}

    /**
     * Reads a file. Vert.x can send a buffer any number of times.
     *
     * @param name in the package of {@code owner}
     * @throws IllegalStateException if it is missing
     */
    public static Buffer read(Class<?> owner, String name) {
        try (InputStream in = owner.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the build has not made the file " + name);
            }
            return Buffer.buffer(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("a file of the class path is not readable: " + name, e);
        }
    }
}
