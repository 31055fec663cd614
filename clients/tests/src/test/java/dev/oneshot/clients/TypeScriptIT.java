package dev.oneshot.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.Port;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The TypeScript client's own tests against the packaged stack, with the Node, the npm and the Chromium of this machine. What is
 * missing is skipped, and a line says so.
 */
@ExtendWith(SharedStack.class)
class TypeScriptIT {

    private static final Path CLIENTS = Path.of(System.getProperty("oneshot.project"), "clients");
    private static final Set<String> BUILT = Set.of("node_modules", "dist", "build");
    private static final int NODE_MIN = 20;
    private static final Pattern NODE_VERSION = Pattern.compile("v(\\d+)\\..*");
    /** How npm names the failures of a network, as opposed to those of a package. */
    private static final Pattern UNREACHABLE =
            Pattern.compile("npm (?:error|ERR!) (?:code|errno) (?:ENOTFOUND|EAI_AGAIN|ECONN\\w+"
                    + "|ENET\\w+|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|EPROTO|E401|E403|E407|E5\\d\\d)");

    @TempDir
    private Path copy;

    @Test
    void testsOfTheClientPass(LocalStack stack) throws Exception {
        requireNode();
        copySources();
        install();

        Account account = Account.create(stack);
        Result tests = run(
                Map.of(
                        "API", account.baseUrl(),
                        "SMTP", "smtp://127.0.0.1:" + stack.settings().port(Port.SMTP),
                        "OPENAPI", "http://127.0.0.1:" + stack.settings().port(Port.HTTP) + "/openapi",
                        "KEY", account.key(),
                        "KEY_TO_REPLACE", Account.create(stack).key(),
                        "CASES", CLIENTS.resolve("cases").toString(),
                        "README", CLIENTS.resolve("README.md").toString()),
                1800,
                "npm",
                "test");

        tests.output()
                .lines()
                .filter(line -> line.contains("NOT TESTED"))
                .distinct()
                .forEach(TypeScriptIT::say);
        assertThat(tests.status()).as(tests.output()).isZero();
    }

    private void requireNode() throws Exception {
        String version;
        try {
            version = run(Map.of(), 20, "node", "--version").output();
            run(Map.of(), 20, "npm", "--version");
        } catch (IOException e) {
            throw skip("no Node or no npm: " + e.getMessage());
        }
        Matcher major = NODE_VERSION.matcher(version.strip());
        if (!major.matches() || Integer.parseInt(major.group(1)) < NODE_MIN) {
            skip("Node " + NODE_MIN + " or later is needed, not " + version.strip());
        }
    }

    private void install() throws Exception {
        Result install = run(
                Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"),
                300,
                "npm",
                "install",
                "--no-audit",
                "--no-fund",
                "--no-package-lock",
                "--fetch-retries=1");
        if (install.status() == Result.TIMED_OUT
                || UNREACHABLE.matcher(install.output()).find()) {
            skip("npm install reaches no registry: " + install.output());
        }
        assertThat(install.status()).as(install.output()).isZero();
    }

    private static RuntimeException skip(String why) {
        String line = "########## NOT TESTED: the TypeScript client: " + why + " ##########";
        say(line);
        return abort(line);
    }

    /** {@code ./oneshot test} shows what begins like this. */
    private static void say(String line) {
        System.out.println("oneshot: " + line);
    }

    private void copySources() throws IOException {
        Path from = CLIENTS.resolve("typescript");
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                if (BUILT.contains(folder.getFileName().toString())) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(copy.resolve(from.relativize(folder)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.copy(file, copy.resolve(from.relativize(file)));
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private record Result(int status, String output) {
        static final int TIMED_OUT = -1;
    }

    private Result run(Map<String, String> environment, int secondsMax, String... command) throws Exception {
        Path log = copy.resolve("output.log");
        ProcessBuilder builder = new ProcessBuilder(List.of(command))
                .directory(copy.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        boolean ended = process.waitFor(secondsMax, TimeUnit.SECONDS);
        if (!ended) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        return new Result(ended ? process.exitValue() : Result.TIMED_OUT, Files.readString(log));
    }
}
