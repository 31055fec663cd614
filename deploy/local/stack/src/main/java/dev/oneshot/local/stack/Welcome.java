package dev.oneshot.local.stack;

import java.nio.file.Path;

/** What {@code up} prints when everything is ready. */
final class Welcome {

    private Welcome() {}

    static String text(StackSettings settings, String demoKey) {
        int http = settings.port(Port.HTTP);
        int smtp = settings.port(Port.SMTP);
        StringBuilder text = new StringBuilder("\noneshot is ready. All of it listens on 127.0.0.1 only.\n\n");
        for (Port port : Port.values()) {
            text.append("  %-6d %s%n".formatted(settings.port(port), port.purpose()));
        }
        Path state = settings.state();
        return text.append("""

          REST API         http://127.0.0.1:%1$d/v1
          demo API key     %3$s   (also in %4$s)
          operator token   in %5$s
          logs             in %6$s

        Try it: paste the first line to get an address, the second to send it a mail and read that back.

        %7$s
        """.formatted(
                                http,
                                smtp,
                                demoKey,
                                DemoAccount.keyFile(state),
                                state.resolve("operator-token"),
                                settings.logs(),
                                tryOut(http, smtp, demoKey)))
                .toString();
    }

    /** Two lines for any POSIX shell; the second asks again while the mail is on its way. */
    private static String tryOut(int http, int smtp, String demoKey) {
        return """
        KEY=%3$s; ADDRESS=$(curl -s http://127.0.0.1:%1$d/v1/addresses -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '{"ttl_seconds":600}' | sed 's/.*"address":"\\([^"]*\\)".*/\\1/'); echo "$ADDRESS"
        printf 'From: Ada <ada@example.org>\\r\\nTo: %%s\\r\\nSubject: Hello\\r\\n\\r\\nIt works.\\r\\n' "$ADDRESS" | curl -s smtp://127.0.0.1:%2$d --mail-from ada@example.org --mail-rcpt "$ADDRESS" -T - && curl -s --fail --retry 10 --retry-delay 1 --retry-all-errors "http://127.0.0.1:%1$d/v1/addresses/${ADDRESS%%%%@*}/email" -H "Authorization: Bearer $KEY"; echo""".formatted(http, smtp, demoKey);
    }
}
