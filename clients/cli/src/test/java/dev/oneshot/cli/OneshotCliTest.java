package dev.oneshot.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command in this JVM, against a server with one response to all. */
class OneshotCliTest {

    private static final String KEY = "osk_secret";
    private static final String ADDRESS = """
            {"id":"a1","address":"a1@example.net","mode":"receive","status":"received",\
            "expires_at":"2026-01-02T03:04:05Z","label":null,"email":{"from":"ada@example.org","subject":"H\\u001b[2Ji",\
            "received_at":"2026-01-02T03:00:00Z","size_bytes":9,"has_attachments":false,"attachment_count":0}}""";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private HttpServer server;
    private int status = 200;
    private String body = ADDRESS;
    private String authorization = "";

    @TempDir
    private Path folder;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            authorization = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            try (OutputStream response = exchange.getResponseBody()) {
                response.write(bytes);
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @ParameterizedTest
    @CsvSource({
        "400, VALIDATION_ERROR, 2",
        "401, UNAUTHORIZED, 5",
        "402, QUOTA_EXCEEDED, 6",
        "403, OTHER, 1",
        "404, NOT_FOUND, 4",
        "410, EXPIRED, 4",
        "422, VALIDATION_ERROR, 2"
    })
    void theExitCodeSaysWhatTheServiceResponded(int response, String code, int exitCode) {
        status = response;
        body = "{\"error\":{\"code\":\"" + code + "\",\"message\":\"too \\u001b[31mbad\"}}";

        assertThat(run("address", "read", "a1")).isEqualTo(exitCode);

        assertThat(out()).isEmpty();
        assertThat(err()).isEqualTo("oneshot-cli: " + code + " (" + response + "): too [31mbad\n");
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/wrong-usage.txt", quoteCharacter = '\'')
    void wrongUsageIsSaid(String line) {
        assertThat(run(line.isEmpty() ? new String[0] : line.split(" "))).isEqualTo(2);

        assertThat(out()).isEmpty();
        assertThat(err().lines()).hasSizeBetween(1, 3).first().asString().startsWith("oneshot-cli: ");
    }

    @Test
    void theCompletionOfAShellIsPrinted() {
        assertThat(run("completion")).isZero();

        assertThat(out()).contains("complete -F", "oneshot-cli", "--timeout", "attachment");
    }

    @Test
    void theKeyMayComeFromStandardInput() {
        InputStream input = System.in;
        System.setIn(new ByteArrayInputStream("osk_of_stdin\n".getBytes(StandardCharsets.US_ASCII)));
        try {
            assertThat(run("address", "create", "--key-file", "-")).isZero();
        } finally {
            System.setIn(input);
        }

        assertThat(authorization).isEqualTo("Bearer osk_of_stdin");
    }

    @Test
    void withoutSettingsTheErrorNamesThem() {
        assertThat(run(Map.of(), "account")).isEqualTo(2);
        assertThat(run(Map.of("ONESHOT_BASE_URL", url()), "account")).isEqualTo(2);
        assertThat(run(Map.of("ONESHOT_BASE_URL", url(), "ONESHOT_API_KEY", ""), "account"))
                .isEqualTo(2);

        assertThat(err()).contains("ONESHOT_BASE_URL", "ONESHOT_API_KEY", "--key-file");
    }

    @Test
    void theKeyComesFromAFileAndIsNeverShown() throws IOException {
        Path file = Files.writeString(folder.resolve("key"), "osk_of_file\n");
        assertThat(run("address", "create", "--key-file", file.toString())).isZero();
        assertThat(authorization).isEqualTo("Bearer osk_of_file");

        Files.writeString(file, "osk_of\nfile");
        assertThat(run("address", "create", "--key-file", file.toString())).isEqualTo(2);

        assertThat(err()).contains("API key").doesNotContain("osk_of");
    }

    @Test
    void aServiceThatIsAwayIsAFailure() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }

        int exitCode = run("account", "--base-url", "http://127.0.0.1:" + free + "/v1");

        assertThat(exitCode).isEqualTo(1);
        assertThat(err()).startsWith("oneshot-cli: ").doesNotContain(KEY);
    }

    @Test
    void aListPrintsALineForEachAddressWithoutControlCharacters() {
        body = "{\"items\":[" + ADDRESS + "," + ADDRESS + "],\"next_cursor\":null}";

        assertThat(run("address", "list", "--status", "received")).isZero();

        String line = "a1@example.net\treceived\t2026-01-02T03:04:05Z\t\tH[2Ji\n";
        assertThat(out()).isEqualTo(line + line);
    }

    @Test
    void theOrderOfTextIsNotReversed() {
        body = ADDRESS.replace("\\u001b[2J", "\\u202e\\u2067");
        body = "{\"items\":[" + body + "],\"next_cursor\":null}";

        assertThat(run("address", "list")).isZero();

        assertThat(out()).endsWith("\tHi\n");
    }

    @Test
    void jsonHasTheMembersThatTheServiceSent() {
        String sent = ADDRESS.replaceAll(",\"email\".*", ",\"send_to\":\"b@example.org\"}");
        String created = sent.replaceAll(",\"send_to\".*", "}");
        String waiting = created.replace("}", ",\"email\":null}");
        String account = """
                {"id":"i","name":"n","plan":"p","billing_cycle_ends":"2026-01-02T03:04:05Z","monthly_allocation":1,"used":1,\
                "credits":1,"limits":{"max_ttl_seconds":1,"max_email_bytes":1,"max_attachment_bytes":1,\
                "requests_per_second":1,"burst":1}}""";

        assertThat(json(created, "--json", "address", "create")).isEqualTo(created);
        assertThat(json(sent, "--json", "address", "create")).isEqualTo(sent);
        assertThat(json("{\"items\":[" + waiting + "]}", "--json", "address", "list"))
                .isEqualTo(waiting);
        assertThat(json("{\"items\":[" + ADDRESS + "]}", "--json", "address", "list"))
                .isEqualTo(ADDRESS);
        assertThat(json(account, "--json", "account")).isEqualTo(account);
    }

    private String json(String response, String... args) {
        body = response;
        out.reset();
        assertThat(run(args)).isZero();
        return out().strip();
    }

    @Test
    void jsonHasNoControlCharacters() {
        body = ADDRESS.replace("\\u001b[2J", "\u007f\u009b2J");

        assertThat(run("address", "create", "--json")).isZero();

        assertThat(out()).contains("\"subject\":\"H\\u007f\\u009b2Ji\"");
    }

    @Test
    void outputThatCannotBeWrittenIsAFailure() {
        PrintStream full = new PrintStream(
                new OutputStream() {
                    @Override
                    public void write(int octet) throws IOException {
                        throw new IOException("no space left");
                    }
                },
                true,
                StandardCharsets.UTF_8);

        int exitCode = new OneshotCli(environment(), full, stream(err)).run("address", "create");

        assertThat(exitCode).isEqualTo(1);
        assertThat(err()).isEqualTo("oneshot-cli: standard output is closed or cannot be written\n");
    }

    @Test
    void aWaitWithoutAnEmailHasAnExitCodeOfItsOwn() {
        body = ADDRESS.replace("\"received\"", "\"waiting\"").replace("2026-01-02T03:04:05Z", "9999-01-02T03:04:05Z");

        assertThat(run("wait", "--timeout", "1", "a1")).isEqualTo(3);

        assertThat(out()).isEmpty();
        assertThat(err()).contains("is waiting").doesNotContain("\r");
    }

    @Test
    void theHelpHasTheExitCodes() {
        assertThat(run("address", "wait", "--help")).isZero();

        assertThat(out()).contains("--timeout", "--base-url", "Exit codes", "no e-mail arrived in time");
    }

    @Test
    void theSpinnerMovesAndDisappears() throws Exception {
        String result = Spinner.during(stream(err), "waiting", () -> {
            while (!err().contains("\r/ waiting")) {
                Thread.onSpinWait();
            }
            return "done";
        });

        assertThat(result).isEqualTo("done");
        assertThat(err()).startsWith("\r| waiting, 0 s").endsWith("\r\u001b[K");
    }

    @ParameterizedTest
    @ValueSource(strings = {"account --key-file", "address send --to a@example.org --subject s --text t --attach"})
    void fileThatCannotBeReadIsWrongUsageAndNamed(String line) {
        String option = line.substring(line.lastIndexOf(' ') + 1);
        Path missing = folder.resolve("missing");

        assertThat(run((line + " " + folder).split(" "))).isEqualTo(2);
        assertThat(run((line + " " + missing).split(" "))).isEqualTo(2);

        assertThat(err())
                .isEqualTo("oneshot-cli: %1$s: cannot read %2$s\noneshot-cli: %1$s: no file %3$s\n"
                        .formatted(option, folder, missing));
    }

    @ParameterizedTest
    @CsvSource({
        "--status, nope, '[waiting, received, expired, sent]'",
        "--status, unknown, '[waiting, received, expired, sent]'",
        "--mode, unknown, '[receive, send]'"
    })
    void filterTakesTheValuesOfTheApiOnly(String option, String value, String values) {
        assertThat(run("address", "list", option, value)).isEqualTo(2);

        assertThat(err())
                .contains(option, "expected one of " + values + ", not " + value)
                .doesNotContain("UNKNOWN");
    }

    @ParameterizedTest
    @CsvSource({
        "wait a1 --timeout, -5",
        "wait a1 --timeout, abc",
        "wait a1 --timeout, 1000000000",
        "address create --ttl, -5",
        "address send --to a@example.org --subject s --text t --ttl, -5"
    })
    void durationOutOfRangeIsWrongUsage(String line, String seconds) {
        assertThat(run((line + " " + seconds).split(" "))).isEqualTo(2);

        assertThat(err())
                .contains(line.substring(line.lastIndexOf(' ') + 1), "must be from 0 to 999999999, not " + seconds);
    }

    private int run(String... args) {
        return run(environment(), args);
    }

    private int run(Map<String, String> environment, String... args) {
        return new OneshotCli(environment, stream(out), stream(err)).run(args);
    }

    private Map<String, String> environment() {
        return Map.of("ONESHOT_BASE_URL", url(), "ONESHOT_API_KEY", KEY);
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1";
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
