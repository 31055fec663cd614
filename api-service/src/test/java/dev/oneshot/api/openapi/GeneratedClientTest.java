package dev.oneshot.api.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oneshot.api.ServiceTest;
import dev.oneshot.api.TestAccount;
import io.restassured.RestAssured;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Other tools accept the descriptions: swagger-parser finds no fault, and a generated client works. */
@ServiceTest
class GeneratedClientTest {

    private static final Path GENERATOR = Path.of("target", "openapi-generator", "openapi-generator-cli.jar");
    private static final Path BIN = Path.of(System.getProperty("java.home"), "bin");
    private static final Path PUBLISHED = Path.of("target/classes/dev/oneshot/api/openapi/openapi.json");
    private static final Path OPERATORS = Path.of("target/classes/dev/oneshot/api/operator/openapi.json");

    private static final String READ_MAIL = """
            import org.openapitools.client.ApiClient;
            import org.openapitools.client.api.AddressApi;
            import org.openapitools.client.api.EmailApi;

            class ReadMail {
                public static void main(String[] arguments) throws Exception {
                    ApiClient client = new ApiClient();
                    client.updateBaseUri(arguments[0]);
                    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + arguments[1]));
                    EmailApi emails = new EmailApi(client);
                    System.out.println(new AddressApi(client).getAddress(arguments[2], null).getEmail().getFrom());
                    System.out.println(emails.getEmail(arguments[2]).getTextBody());
                    System.out.println(emails.getRawEmail(arguments[2]));
                    System.out.println(java.nio.file.Files.readString(emails.getAttachment(arguments[2], 0).toPath()));
                }
            }
            """;

    private final TestAccount account = TestAccount.onPlan("scale");

    @TempDir
    private Path folder;

    @Test
    void descriptionsAreValid() throws Exception {
        for (Path description : List.of(PUBLISHED, OPERATORS)) {
            assertThat(generator("validate", "--recommend", "-i", description.toString()))
                    .contains("No validation issues detected.");
        }
    }

    @Test
    void generatedClientReadsAMail() throws Exception {
        String id = addressWithMail();
        generator(
                "generate",
                "--generator-name",
                "java",
                "--library",
                "native",
                "--additional-properties",
                "openApiNullable=false,useJakartaEe=true",
                "--input-spec",
                PUBLISHED.toString(),
                "--output",
                folder.toString());
        Files.writeString(folder.resolve("src/main/java/ReadMail.java"), READ_MAIL);
        List<String> compiler = new ArrayList<>(
                List.of("javac", "-nowarn", "-cp", System.getProperty("java.class.path"), "-d", classes()));
        compiler.addAll(sources());
        run(compiler);

        String read = run(List.of(
                "java",
                "-cp",
                classes() + ":" + System.getProperty("java.class.path"),
                "ReadMail",
                "http://127.0.0.1:" + RestAssured.port + "/v1",
                account.apiKey(),
                id));

        assertThat(read).startsWith("ada@example.org\nIt works.\nFrom: Ada").endsWith("attached\n");
    }

    private String addressWithMail() {
        return account.received("""
                From: Ada <ada@example.org>
                MIME-Version: 1.0
                Content-Type: multipart/mixed; boundary=x

                --x

                It works.
                --x
                Content-Type: application/json
                Content-Disposition: attachment; filename=a.json

                attached
                --x--
                """);
    }

    private String classes() {
        return folder.resolve("classes").toString();
    }

    private List<String> sources() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("src/main/java"))) {
            return files.map(Path::toString)
                    .filter(file -> file.endsWith(".java"))
                    .toList();
        }
    }

    private static String generator(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("java", "-jar", GENERATOR.toString()));
        command.addAll(List.of(arguments));
        return run(command);
    }

    /** The output of a tool of the JDK, which must succeed. */
    private static String run(List<String> command) throws Exception {
        List<String> whole = new ArrayList<>(command);
        String tool = command.getFirst();
        whole.set(0, BIN.resolve(tool).toString());
        // A tool that runs for seconds compiles half of that time otherwise.
        whole.add(1, (tool.equals("java") ? "" : "-J") + "-XX:TieredStopAtLevel=1");
        Process process = new ProcessBuilder(whole).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
