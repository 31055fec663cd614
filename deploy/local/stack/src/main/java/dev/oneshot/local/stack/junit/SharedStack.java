package dev.oneshot.local.stack.junit;

import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.StackSettings;
import dev.oneshot.local.stack.StackSettings.Option;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.commons.io.function.Uncheck;
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

    private static final Map<String, String> SETTINGS = Map.of(
            // As in production; a test reads it.
            "QUARKUS_LOG_CONSOLE_JSON_ENABLED", "true",
            // For clients in browsers.
            "ONESHOT_HTTP_CORS_ORIGINS", "*",
            "ONESHOT_SMTP_POSTMASTER", "ops@operator.example",
            "ONESHOT_LETTERS_SENDER", "service@example.org",
            // Mails of a killed mailer are sent again after their leases.
            "ONESHOT_SENDING_LEASE", "20s",
            "ONESHOT_RELAY_ATTEMPT_TIMEOUT", "24s",
            "ONESHOT_RELAY_DATA_REPLY_TIMEOUT", "12s");

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == LocalStack.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.create(SharedStack.class))
                .computeIfAbsent(SharedStack.class, _ -> Uncheck.get(SharedStack::start), LocalStack.class);
    }

    private static LocalStack start() throws IOException {
        Path project = Path.of(System.getProperty("oneshot.project"));
        Path target = Files.createDirectories(Path.of("target"));
        Path state = Files.createTempDirectory(target, "a stack ").toAbsolutePath();
        Option[] options = Boolean.getBoolean("oneshot.native")
                ? new Option[] {Option.QUICK_COMPILER, Option.NATIVE}
                : new Option[] {Option.QUICK_COMPILER};
        return LocalStack.start(
                StackSettings.onFreePorts(project, state, options).with(SETTINGS), _ -> {});
    }
}
