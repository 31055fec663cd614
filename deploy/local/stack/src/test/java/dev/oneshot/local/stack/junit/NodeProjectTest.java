package dev.oneshot.local.stack.junit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oneshot.local.backends.Program;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeProjectTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "  1) reading.spec.js:77:1 › link text \n\n    Error: expect(locator).toBeVisible() failed\n    Locator: .found\n",
                "✖ failing tests:\n\n✖ link text (12.3ms)\n  AssertionError [ERR_ASSERTION]: expect .found\n",
                "E   AssertionError: expect .found\n=== short test summary info ===\nFAILED test_client.py::link text\n",
                "test/stack.js(93,20): error TS7031: link text: expect .found\n",
                "\u001b[31m  1) reading.spec.js:77:1 › link text\n\u001b[39m\n    Test timeout of 300000ms exceeded: expect .found"
            })
    void firstLineOfTheMessageNamesTheFailedTestAndItsError(String output) {
        String bytes = new String(output.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);

        assertThatThrownBy(() -> NodeProject.requirePassed(
                        "the console", new Program.Result(1, "> test\n  43 passed\n".repeat(500) + bytes, "")))
                .hasMessageMatching("(?s)the console: exit code 1: [^\n]*link text.*")
                .hasMessageMatching("(?s)the console: exit code 1: [^\n]*\\.found.*")
                .message()
                .doesNotContain("\u001b");
    }

    @Test
    void runThatTookTooLongSaysSo() {
        assertThatThrownBy(
                        () -> NodeProject.requirePassed("the console", new Program.Result(Program.TIMED_OUT, "", "")))
                .hasMessageStartingWith("the console: timed out");
    }

    @Test
    void runThatPassedIsNoFailure() {
        Program.Result passed = new Program.Result(0, "1) a.spec.js:1:1 › retried\n", "");

        assertThatCode(() -> NodeProject.requirePassed("the console", passed)).doesNotThrowAnyException();
    }
}
