package dev.oneshot.clients;

import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Port;
import dev.oneshot.local.stack.junit.NodeProject;
import dev.oneshot.local.stack.junit.SharedStack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The console in a browser, on the packaged stack: its journeys, attacks on it, its limits and its looks. With the Node, the npm
 * and the Chromium of this machine. Without one of them it is skipped, and a line says so. Pictures are in {@code
 * target/console}.
 */
@ExtendWith(SharedStack.class)
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ)
class ConsoleIT {

    private static final Path PROJECT = Path.of(System.getProperty("oneshot.project"));
    private static final List<Path> BROWSERS = List.of(
            Path.of("/usr/bin/chromium"),
            Path.of("/usr/bin/chromium-browser"),
            Path.of("/usr/bin/google-chrome"),
            Path.of("/usr/bin/google-chrome-stable"));
    /** No request finds their unsigned ids, so none of them waits: the console would ask for it, and remove it. */
    private static final String INSERT = """
            INSERT INTO address (id, account_id, mode, status, label, created_at, expires_at)
            SELECT left(md5('many' || i), 24), ?, 'send', 'sent', 'many-' || i % 10,
                now() - interval '1 hour' + i * interval '1 microsecond', now() + interval '1 day'
            FROM generate_series(1, 10000) AS i""";

    @TempDir
    private Path copy;

    private final LocalStack stack;

    ConsoleIT(LocalStack stack) {
        this.stack = stack;
    }

    @Test
    void testsOfTheConsolePass() throws Exception {
        NodeProject project = new NodeProject("the console in a browser", copy.resolve("console"));
        NodeProject.copy(PROJECT.resolve("console"), copy.resolve("console"));
        NodeProject.copy(PROJECT.resolve("clients/typescript"), copy.resolve("clients/typescript"));
        Path chromium = chromium().orElseThrow(() -> project.skip("no Chromium"));
        project.install();

        String api = "http://127.0.0.1:" + stack.settings().port(Port.HTTP);
        Map<String, String> environment = new HashMap<>();
        environment.put("CHROMIUM", chromium.toString());
        environment.put("API", api + "/v1");
        environment.put("CONSOLE", api + "/console/");
        environment.put("SMTP", "smtp://127.0.0.1:" + stack.settings().port(Port.SMTP));
        environment.put("OPERATOR", "http://127.0.0.1:" + stack.settings().port(Port.API_MANAGEMENT) + "/operator");
        environment.put("OPERATOR_TOKEN", stack.operatorToken());
        environment.put("KEY_WITH_MANY", accountWithManyAddresses().key());
        environment.put("PICTURES", Path.of("target/console").toAbsolutePath().toString());
        project.test(environment, 3600, "measured:");
    }

    private static Optional<Path> chromium() {
        String given = System.getenv("CHROMIUM");
        return given == null ? BROWSERS.stream().filter(Files::isExecutable).findFirst() : Optional.of(Path.of(given));
    }

    private Account accountWithManyAddresses() throws IOException, InterruptedException, SQLException {
        Account account = Account.create(stack);
        try (Connection connection = stack.database().connect();
                PreparedStatement insert = connection.prepareStatement(INSERT)) {
            insert.setObject(1, UUID.fromString(account.client().getAccount().id()));
            insert.executeUpdate();
        }
        return account;
    }
}
