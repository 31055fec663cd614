package dev.oneshot.clients;

import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Port;
import dev.oneshot.local.stack.junit.NodeProject;
import dev.oneshot.local.stack.junit.SharedStack;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The TypeScript client's own tests against the packaged stack, with the Node, the npm and the Chromium of this machine. What is
 * missing is skipped, and a line says so.
 */
@ExtendWith(SharedStack.class)
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ)
class TypeScriptIT {

    private static final Path CLIENTS = Path.of(System.getProperty("oneshot.project"), "clients");

    @TempDir
    private Path copy;

    @Test
    void testsOfTheClientPass(LocalStack stack) throws Exception {
        NodeProject project = new NodeProject("the TypeScript client", copy);
        NodeProject.copy(CLIENTS.resolve("typescript"), copy);
        project.install();

        Account account = Account.create(stack);
        project.test(
                Map.of(
                        "API", account.baseUrl(),
                        "SMTP", "smtp://127.0.0.1:" + stack.settings().port(Port.SMTP),
                        "OPENAPI", "http://127.0.0.1:" + stack.settings().port(Port.HTTP) + "/openapi",
                        "KEY", account.key(),
                        "KEY_TO_REPLACE", Account.create(stack).key(),
                        "CASES", CLIENTS.resolve("cases").toString(),
                        "README", CLIENTS.resolve("README.md").toString()),
                3600,
                "NOT TESTED");
    }
}
