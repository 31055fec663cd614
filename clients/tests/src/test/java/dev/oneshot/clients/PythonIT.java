package dev.oneshot.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.oneshot.local.backends.Program;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.junit.NodeProject;
import dev.oneshot.local.stack.junit.SharedStack;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The Python client's own tests against the packaged stack, with a Python of this machine that has pytest. Without one they are
 * skipped, and a line says so.
 */
@ExtendWith(SharedStack.class)
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ)
class PythonIT {

    private static final Path CLIENTS = Path.of(System.getProperty("oneshot.project"), "clients");
    /** The first on the path may have no pytest, and Debian's package is for Debian's Python. */
    private static final List<String> PYTHONS = List.of("python3", "/usr/bin/python3");

    /** With pytest-xdist the tests also run in two processes. */
    private static final List<String> CHECKS = List.of(
            "import pytest, xdist, sys; assert sys.version_info >= (3, 10)",
            "import pytest, sys; assert sys.version_info >= (3, 10)");

    @TempDir
    private Path copy;

    @Test
    void testsOfTheClientPass(LocalStack stack) throws Exception {
        NodeProject.copy(CLIENTS.resolve("python"), copy);
        String python = python();
        Account account = Account.create(stack);
        Map<String, String> environment = Map.of(
                "PYTHONPATH", copy.resolve("src").toString(),
                "ONESHOT_BASE_URL", account.baseUrl(),
                "ONESHOT_API_KEY", account.key(),
                "CASES", CLIENTS.resolve("cases").toString(),
                "README", CLIENTS.resolve("README.md").toString());

        Program.Result tests =
                run(environment, python, "-m", "pytest", "-rs", "--color=no", "-p", "oneshot_client.pytest_plugin");

        NodeProject.requirePassed("the Python client", tests);
        assertThat(tests.out())
                .containsPattern("test_stack\\.py \\.+")
                .containsPattern("\\d+ passed")
                .doesNotContain(" skipped");
    }

    private String python() throws Exception {
        for (String check : CHECKS) {
            for (String python : PYTHONS) {
                try {
                    if (run(Map.of(), python, "-c", check).exitCode() == 0) {
                        return python;
                    }
                } catch (IOException e) {
                    System.out.println("oneshot: no " + python + ": " + e.getMessage());
                }
            }
            System.out.println("oneshot: no Python with this: " + check);
        }
        String line = "########## NOT TESTED: the Python client: no Python 3.10 with pytest ##########";
        System.out.println("oneshot: " + line);
        return abort(line);
    }

    private Program.Result run(Map<String, String> environment, String... command) throws Exception {
        return Program.run(copy, environment, Duration.ofMinutes(45), List.of(command));
    }
}
