package dev.oneshot.local.stack.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.oneshot.local.backends.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs an npm project in a copy of its folder, with the Node and the npm of this machine. If they, or a registry, are missing, the
 * test is skipped, and a line says so.
 *
 * @param name for that line, as in "the TypeScript client"
 * @param folder the copy
 */
public record NodeProject(String name, Path folder) {

    private static final Set<String> BUILT = Set.of("node_modules", "dist", "build");
    private static final int NODE_MIN = 20;
    private static final Pattern NODE_VERSION = Pattern.compile("v(\\d+)\\..*");
    /** How npm names the failures of a network, as opposed to those of a package. */
    private static final Pattern UNREACHABLE =
            Pattern.compile("npm (?:error|ERR!) (?:code|errno) (?:ENOTFOUND|EAI_AGAIN|ECONN\\w+"
                    + "|ENET\\w+|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|EPROTO|E401|E403|E407|E5\\d\\d)");

    /** How Playwright, node:test, the compiler and pytest name a failed test, and how they begin its error. */
    private static final Pattern FAILURE = Pattern.compile(
            "\\s*(?:\\d+\\) \\S+\\.js:\\d.*|✖ (?!failing tests).*|FAILED .*|E  .*|\\[?\\w*Error\\b(?! Context).*|Test timeout .*|Locator: .*)|.*: error TS.*");

    private static final Pattern COLOR = Pattern.compile("\u001b\\[[0-9;]*m");
    private static final int FAILURE_LINES_MAX = 20;
    private static final int FAILURE_CHARACTERS_MAX = 250;

    /**
     * Runs {@code npm test}, and shows its lines with this text.
     *
     * @param environment further variables
     * @param shown a text as in "NOT TESTED"
     */
    public void test(Map<String, String> environment, int secondsMax, String shown) throws Exception {
        Program.Result tests = run(environment, secondsMax, "npm", "test");

        tests.all().lines().filter(line -> line.contains(shown)).distinct().forEach(NodeProject::say);
        requirePassed(name, tests);
    }

    /**
     * Fails if a run of tests has failed, with the names and errors of the failed ones in the first line of the message: logs of
     * continuous integration often have no more of it.
     */
    public static void requirePassed(String name, Program.Result tests) {
        if (tests.exitCode() == 0) {
            return;
        }
        // A character of the output is a byte.
        String output = COLOR.matcher(
                        new String(tests.all().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8))
                .replaceAll("");
        List<String> failures = output.lines()
                .filter(line -> FAILURE.matcher(line).matches())
                .map(line -> line.strip().substring(0, Math.min(line.strip().length(), FAILURE_CHARACTERS_MAX)))
                .distinct()
                .limit(FAILURE_LINES_MAX)
                .toList();
        String how = tests.exitCode() == Program.TIMED_OUT ? "timed out" : "exit code " + tests.exitCode();
        fail(name + ": " + how + ": " + String.join(" | ", failures) + "\n" + output);
    }

    /** Installs what the project needs. */
    public void install() throws Exception {
        requireNode();
        Program.Result install = run(
                Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"),
                300,
                "npm",
                "install",
                "--no-audit",
                "--no-fund",
                "--no-package-lock",
                "--fetch-retries=1");
        if (install.exitCode() == Program.TIMED_OUT
                || UNREACHABLE.matcher(install.all()).find()) {
            skip("npm install reaches no registry: " + install.all());
        }
        assertEquals(0, install.exitCode(), install.all());
    }

    /** Copies sources, without what is built from them. */
    public static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                if (BUILT.contains(folder.getFileName().toString())) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(to.resolve(from.relativize(folder)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (!BUILT.contains(file.getFileName().toString())) {
                    Files.copy(file, to.resolve(from.relativize(file)));
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Skips the test and prints a line. */
    public RuntimeException skip(String why) {
        String line = "########## NOT TESTED: " + name + ": " + why + " ##########";
        say(line);
        return abort(line);
    }

    private void requireNode() throws Exception {
        String version;
        try {
            version = run(Map.of(), 20, "node", "--version").out();
            run(Map.of(), 20, "npm", "--version");
        } catch (IOException e) {
            throw skip("no Node or no npm: " + e.getMessage());
        }
        Matcher major = NODE_VERSION.matcher(version.strip());
        if (!major.matches() || Integer.parseInt(major.group(1)) < NODE_MIN) {
            skip("Node " + NODE_MIN + " or later is needed, not " + version.strip());
        }
    }

    /** {@code ./oneshot test} shows what begins like this. */
    private static void say(String line) {
        System.out.println("oneshot: " + line);
    }

    private Program.Result run(Map<String, String> environment, int secondsMax, String... command) throws Exception {
        return Program.run(folder, environment, Duration.ofSeconds(secondsMax), List.of(command));
    }
}
