package dev.oneshot.authentication.spf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.oneshot.authentication.resolver.Resolvers;
import dev.oneshot.testing.LocalDns;
import dev.oneshot.testing.LocalDns.Fault;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** SPF by facts, most of them of the openspf.org test suite, and where it must be bounded. */
class SpfCheckTest {

    private static final Pattern QUESTION = Pattern.compile("\\? (\\S+) (\\S+) \"(.*)\" (\\S+) # (\\S+)");

    private final LocalDns server = new LocalDns();

    @AfterEach
    void close() {
        server.close();
    }

    @TestFactory
    Stream<DynamicNode> findsWhatTheTestSuiteSays() throws IOException {
        String text = Files.readString(Path.of("src/test/resources/authentication/spf.txt"), StandardCharsets.UTF_8);
        return Stream.of(text.split("(?m)^== ")).skip(1).map(SpfCheckTest::scenario);
    }

    private static DynamicNode scenario(String text) {
        List<String> lines = text.lines().toList();
        List<DynamicNode> questions = new ArrayList<>();
        for (String line : lines) {
            Matcher question = QUESTION.matcher(line);
            if (question.matches()) {
                questions.add(dynamicTest(question.group(5), () -> ask(lines, question)));
            }
        }
        assertThat(questions).isNotEmpty();
        return dynamicContainer(lines.getFirst(), questions);
    }

    private static void ask(List<String> lines, Matcher question) {
        try (LocalDns server = new LocalDns()) {
            for (String line : lines.subList(1, lines.size())) {
                if (line.startsWith("fails ")) {
                    server.fail(line.substring(6), Fault.SERVER_FAILURE);
                } else if (!line.startsWith("? ") && !line.isBlank()) {
                    server.serve(line + "\n");
                }
            }
            SpfResult result = check(server, question.group(1), question.group(2), question.group(3));
            assertThat(List.of(question.group(4).split("\\|")))
                    .contains(result.name().toLowerCase(Locale.ROOT));
        }
    }

    private static SpfResult check(LocalDns server, String client, String helo, String sender) {
        String mailbox = sender.isEmpty() ? "postmaster@" + helo : sender;
        int at = mailbox.lastIndexOf('@');
        return SpfCheck.check(
                Resolvers.dns(server),
                InetAddress.ofLiteral(client),
                helo,
                mailbox.substring(0, Math.max(0, at)),
                mailbox.substring(at + 1));
    }

    @Test
    void nestedMacrosThatFanOutAskTenTermsAtMost() {
        StringBuilder zone = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            String includes = "include:n%d.example ".formatted(i + 1).repeat(8);
            zone.append("n%d.example. TXT \"v=spf1 %s-all\"\n".formatted(i, includes));
        }
        server.serve(zone.toString());

        SpfResult result = check(server, "192.0.2.1", "client.example", "a@n0.example");

        assertThat(result).isEqualTo(SpfResult.PERMERROR);
        assertThat(server.queries()).isLessThan(30);
    }

    @Test
    void macrosThatExpandToAMebibyteAreCutInOnePass() {
        server.serve("long.example. TXT \"v=spf1 exists:\"" + (" \"" + "%{s}".repeat(60) + "\"").repeat(33)
                + " \" -all\"\n");

        assertThat(check(server, "192.0.2.1", "client.example", "a.".repeat(250) + "a@long.example"))
                .isEqualTo(SpfResult.FAIL);
    }

    @Test
    void recordOfManyKibibytesIsAnError() {
        server.serve("large.example. TXT " + "\"v=spf1 " + "a".repeat(200) + "\" "
                + ("\"" + "1".repeat(250) + "\" ").repeat(200) + "\n");

        assertThat(check(server, "192.0.2.1", "client.example", "a@large.example"))
                .isEqualTo(SpfResult.PERMERROR);
    }
}
