package dev.oneshot.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.oneshot.local.backends.Program;
import dev.oneshot.local.stack.LocalStack;
import dev.oneshot.local.stack.junit.SharedStack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The packaged command line on the packaged services, with mail over SMTP. Its output is a file, unless a test says otherwise. */
@ExtendWith(SharedStack.class)
@ResourceLock(value = SharedStack.LOCK, mode = ResourceAccessMode.READ)
class CliIT {

    private final LocalStack stack;
    private final Account account;

    @TempDir
    private Path folder;

    CliIT(LocalStack stack) throws IOException, InterruptedException {
        this.stack = stack;
        this.account = Account.create(stack);
    }

    @Test
    void aScriptGetsTheCodeOfASignUp() throws Exception {
        String address = created(run("address create --label sign-up --ttl 3600"));
        Account.deliver(stack, address, """
                From: ada@example.org
                Subject: Welcome
                MIME-Version: 1.0
                Content-Type: multipart/mixed; boundary=b

                --b
                Content-Type: text/html

                <p>Your code is 482913.</p><a href="https://example.com/c?t=1">Confirm</a>
                --b
                Content-Type: application/x-test
                Content-Disposition: attachment; filename=a.bin
                Content-Transfer-Encoding: base64

                AP8K
                --b--""");

        assertThat(run("wait --code " + address)).isEqualTo(new Program.Result(0, "482913\n", ""));
        assertThat(run("address wait --link " + address))
                .isEqualTo(new Program.Result(0, "https://example.com/c?t=1\n", ""));
        assertThat(run("address read " + address).out())
                .contains("Subject: Welcome\n", "Attachment 0: a.bin (application/x-test, 3 bytes)\n")
                .endsWith("\nYour code is 482913.\nConfirm\n");
        JsonObject email = json(run("address read --json " + address));
        assertThat(email.get("html_body").getAsString()).contains("482913");
        assertThat(run("address raw " + address).out()).contains("Content-Disposition: attachment; filename=a.bin");
        assertThat(run("address attachment " + address + " 0")).isEqualTo(new Program.Result(0, "\0\u00ff\n", ""));
        assertThat(run("address list --label sign-up --status received").out())
                .startsWith(address + "\treceived\t")
                .endsWith("\tsign-up\tWelcome\n");
        assertThat(run("address delete " + address)).isEqualTo(new Program.Result(0, "", ""));
        assertThat(run("address read " + address).exitCode()).isEqualTo(4);
    }

    @Test
    void whatIsSentIsReceived() throws Exception {
        String to = created(run("address create"));
        Path file = Files.writeString(folder.resolve("note.txt"), "attached");

        JsonObject sent =
                json(run("address send --json --to " + to + " --subject Greetings --text Hello --attach " + file));

        assertThat(sent.get("status").getAsString()).isEqualTo("sent");
        assertThat(sent.get("send_to").getAsString()).isEqualTo(to);
        assertThat(run("wait " + to).out()).contains("Subject: Greetings\n").endsWith("\nHello\n");
        assertThat(run("address attachment " + to + " 0")).isEqualTo(new Program.Result(0, "attached", ""));
        assertThat(run("wait --code " + to).exitCode()).isEqualTo(4);
        assertThat(run("account").out()).contains("Plan: scale\n", "Used: 2 of ");
    }

    @ParameterizedTest
    @CsvSource({"xterm, true", "dumb, false"})
    void progressIsShownOnATerminalThatCanClearALine(String terminal, boolean isShown) throws Exception {
        requireScript();
        String address = created(run("address create"));
        Map<String, String> onTerminal = new HashMap<>(environment());
        onTerminal.put("TERM", terminal);
        // Longer than a first poll takes on a busy machine.
        String wait = String.join(" ", command("wait --timeout 10 " + address));

        // Gives the command a terminal, where standard output and error are one stream.
        Program.Result waited = Program.run(
                folder,
                onTerminal,
                Duration.ofMinutes(3),
                List.of("script", "--quiet", "--return", "--command", wait, "/dev/null"));

        assertThat(waited.exitCode()).as(waited.all()).isEqualTo(3);
        assertThat(waited.out()).contains("oneshot-cli: no e-mail for");
        assertThat(waited.out().contains("\r| waiting for the e-mail to " + address))
                .as(waited.out())
                .isEqualTo(isShown);
        assertThat(waited.out().contains("\u001b")).as(waited.out()).isEqualTo(isShown);
    }

    private void requireScript() throws Exception {
        String why;
        try {
            why = Program.run(List.of("script", "--version"));
            if (why.contains("util-linux")) {
                return;
            }
        } catch (IOException | IllegalStateException e) {
            why = String.valueOf(e.getMessage());
        }
        String line = "########## NOT TESTED: the command line on a terminal: no script of util-linux: " + why.strip()
                + " ##########";
        System.out.println("oneshot: " + line);
        abort(line);
    }

    private static String created(Program.Result run) {
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).containsPattern("^\\S+@\\S+\n$");
        return run.out().strip();
    }

    private static JsonObject json(Program.Result run) {
        assertThat(run.exitCode()).as(run.err()).isZero();
        return JsonParser.parseString(run.out()).getAsJsonObject();
    }

    private Program.Result run(String line) throws Exception {
        return Program.run(folder, environment(), Duration.ofMinutes(3), command(line));
    }

    private static List<String> command(String line) {
        String project = System.getProperty("oneshot.project");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-jar",
                Path.of(project, "clients", "cli", "target", "oneshot-cli.jar").toString()));
        Collections.addAll(command, line.split(" ", -1));
        return command;
    }

    private Map<String, String> environment() {
        return Map.of("ONESHOT_BASE_URL", account.baseUrl(), "ONESHOT_API_KEY", account.key());
    }
}
