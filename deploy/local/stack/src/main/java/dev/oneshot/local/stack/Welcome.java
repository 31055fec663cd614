package dev.oneshot.local.stack;

import java.nio.file.Path;
import java.util.Set;

/** The text that {@code up} prints when all parts are ready. */
public final class Welcome {

    /** Two lines for any POSIX shell, as in README.md. The second repeats its request until the mail is there. */
    public static final String TRY_OUT = """
            . .oneshot/try; ADDRESS=$(curl -s $API/addresses -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '{"ttl_seconds":600}' | sed 's/.*"address":"\\([^"]*\\)".*/\\1/'); echo "$ADDRESS"
            printf 'From: Ada <ada@example.org>\\r\\nTo: %s\\r\\nSubject: Hello\\r\\n\\r\\nIt works.\\r\\n' "$ADDRESS" | curl -s $SMTP --mail-from ada@example.org --mail-rcpt "$ADDRESS" -T - && curl -s --fail --retry 60 --retry-delay 1 --retry-all-errors "$API/addresses/${ADDRESS%@*}/email" -H "Authorization: Bearer $KEY"; echo
            """;

    private Welcome() {}

    static String text(StackSettings settings, Set<Service> without) {
        boolean reachable = settings.isReachable();
        StringBuilder text = new StringBuilder("\noneshot is ready.")
                .append(reachable ? "" : " All of it listens on 127.0.0.1 only.")
                .append("\n\n");
        for (Port port : Port.values()) {
            text.append("  %-6d %s%n".formatted(settings.port(port), port.purpose()));
        }
        Path state = settings.state();
        for (Service service : without) {
            text.append("""

                      %s is stopped. Run your own from an IDE, or with Maven 3.9 or later:
                        (set -a; . '%s'; mvn quarkus:dev -pl %s -am)
                    """.formatted(service.module(), ServiceEnvironment.file(state, service), service.module()));
        }
        text.append("""

                  REST API         http://127.0.0.1:%d/v1
                  console          http://127.0.0.1:%d/console/
                  demo API key     in %s
                  operator token   in %s
                  logs             in %s
                """.formatted(
                        settings.port(Port.HTTP),
                        settings.port(Port.HTTP),
                        DemoAccount.keyFile(state),
                        state.resolve("operator-token"),
                        settings.logs()));
        // In a container, there is no other terminal.
        if (!reachable) {
            text.append("""

                    Try it in another terminal in %s: paste the first line to get an address, the second to send it a mail
                    and read that back.

                    %s""".formatted(settings.project(), TRY_OUT));
        }
        return text.toString();
    }

    /** Shell variables for {@link #TRY_OUT} and README.md: the addresses of this stack, and the demo key. */
    static String variables(StackSettings settings, String demoKey) {
        return """
                API=http://127.0.0.1:%d/v1
                SMTP=smtp://127.0.0.1:%d
                OPERATOR=http://127.0.0.1:%d/operator
                KEY=%s""".formatted(
                settings.port(Port.HTTP), settings.port(Port.SMTP), settings.port(Port.API_MANAGEMENT), demoKey);
    }
}
