package dev.oneshot.clients;

import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.StackSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** One stack for the tests of all clients, on free ports with data of its own. */
final class SharedStack implements ParameterResolver {

    /** The lock: READ for tests that share the stack, READ_WRITE for one that counts all requests, or stops a part. */
    static final String LOCK = "stack";

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == LocalStack.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.create(SharedStack.class))
                .computeIfAbsent(SharedStack.class, key -> start(), LocalStack.class);
    }

    private static LocalStack start() {
        Path project = Path.of(System.getProperty("oneshot.project"));
        try {
            Path target = Files.createDirectories(Path.of("target"));
            Path state = Files.createTempDirectory(target, "a stack ").toAbsolutePath();
            // Pages of any origin, for clients in browsers.
            return LocalStack.start(
                    StackSettings.onFreePorts(project, state)
                            .withQuickCompiler()
                            .with("ONESHOT_HTTP_CORS_ORIGINS", "*"),
                    line -> {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
