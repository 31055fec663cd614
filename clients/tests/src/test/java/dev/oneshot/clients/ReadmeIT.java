package dev.oneshot.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.local.backends.Program;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.junit.SharedStack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The JUnit test of clients/README.md, compiled and run as it stands there: with JUnit 6, and against the stack. */
@ExtendWith(SharedStack.class)
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ)
class ReadmeIT {

    private static final String TEST = "SignUpTest";
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    @TempDir
    private Path folder;

    @Test
    void theJUnitTestPasses(LocalStack stack) throws Exception {
        compile(block());

        String output = run(stack);

        assertThat(output).contains("1 tests successful").contains("0 tests failed");
    }

    private static String block() throws IOException {
        String readme = Files.readString(Path.of(System.getProperty("oneshot.project"), "clients", "README.md"));
        return Arrays.stream(readme.split("```", -1))
                .filter(block -> block.startsWith("java\n") && block.contains("class " + TEST))
                .findFirst()
                .orElseThrow()
                .substring("java\n".length());
    }

    private void compile(String source) throws IOException {
        Path file = Files.writeString(folder.resolve(TEST + ".java"), source);
        int status = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-cp", CLASS_PATH, "-d", folder.toString(), file.toString());
        assertThat(status).isZero();
    }

    private String run(LocalStack stack) throws Exception {
        Account account = Account.create(stack);
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                folder + System.getProperty("path.separator") + CLASS_PATH,
                "org.junit.platform.console.ConsoleLauncher",
                "execute",
                "--disable-banner",
                "--disable-ansi-colors",
                "--select-class",
                TEST);
        Map<String, String> environment =
                Map.of("ONESHOT_BASE_URL", account.baseUrl(), "ONESHOT_API_KEY", account.key());
        return Program.run(folder, environment, Duration.ofMinutes(10), command).out();
    }
}
