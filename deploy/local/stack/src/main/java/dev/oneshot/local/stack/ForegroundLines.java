package dev.oneshot.local.stack;

import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Filters the output for a terminal: the stack's own lines, and warnings and errors of its parts. The logs have all
 * lines.
 *
 * @param output receives the lines
 */
record ForegroundLines(Consumer<String> output) implements Consumer<String> {

    private static final Pattern OF_A_PART = Pattern.compile("[a-z0-9-]+ \\| .*", Pattern.DOTALL);
    private static final Pattern WARNING = Pattern.compile(
            "[a-z0-9-]+ \\| (\\d{4}-\\d\\d-\\d\\d\\S* (\\d\\d:\\S+ )?(WARN|ERROR|FATAL) .*|\\{.*\"level\":\"(WARN|ERROR|FATAL)\".*)");

    @Override
    public void accept(String line) {
        if (!OF_A_PART.matcher(line).matches() || WARNING.matcher(line).matches()) {
            output.accept(line);
        }
    }
}
