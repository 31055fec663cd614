package dev.oneshot.local.stack.junit;

import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.StackSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One stack for all tests of a module, of jars or of native binaries, on free ports, in a directory whose name has
 * spaces.
 */
public final class SharedStack implements ParameterResolver {

    /** The lock: READ while a test needs all of the stack, READ_WRITE while it stops a part or counts all requests. */
    public static final String LOCK = "stack";

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
            StackSettings settings = StackSettings.onFreePorts(project, state)
                    .withBinaries(Boolean.getBoolean("oneshot.native"))
                    .withQuickCompiler()
                    // As in production; a test reads it.
                    .with("QUARKUS_LOG_CONSOLE_JSON_ENABLED", "true")
                    // For clients in browsers.
                    .with("ONESHOT_HTTP_CORS_ORIGINS", "*")
                    .with("ONESHOT_SMTP_POSTMASTER", "ops@operator.example")
                    .with("ONESHOT_LETTERS_SENDER", "service@example.org")
                    // Mails of a killed mailer are sent again after their leases.
                    .with("ONESHOT_SENDING_LEASE", "20s")
                    .with("ONESHOT_RELAY_ATTEMPT_TIMEOUT", "24s")
                    .with("ONESHOT_RELAY_DATA_REPLY_TIMEOUT", "12s");
            return LocalStack.start(settings, line -> {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
